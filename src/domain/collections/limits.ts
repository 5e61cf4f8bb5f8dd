/** The limits of a collection, in characters as readers count them, and in accounts. */
export const COLLECTION_LIMITS = {
  name: 40,
  description: 100,
  items: 25,
} as const

/** What is kept of what others recommend: of one person elsewhere, and in one collection. */
export const REMOTE_COLLECTION_LIMITS = {
  collections: 100,
  items: 150,
} as const
