/** The limits of a local collection: `name` and `description` in characters, `items` in accounts. */
export const COLLECTION_LIMITS = {
  name: 40,
  description: 100,
  items: 25,
} as const

/** The limits of stored remote collections: collections per account, and items per collection. */
export const REMOTE_COLLECTION_LIMITS = {
  collections: 100,
  items: 150,
} as const
