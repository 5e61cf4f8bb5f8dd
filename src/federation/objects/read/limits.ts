/** How much of remote objects is read: texts in UTF-16 units, everything else in items. The rest is ignored. */
export const LIMITS = {
  username: 2_048,
  displayName: 2_048,
  note: 20_480,
  fields: 50,
  field: 2_047,
  aliases: 256,
  attributionDomains: 256,
  keys: 10,
  /** Actors and collections that an interaction policy names. */
  policy: 20,
  /** Of a featured collection of accounts. */
  collectionName: 256,
  collectionItems: 150,
  keyPem: 8_192,
  content: 262_144,
  title: 2_048,
  summary: 5_000,
  attachments: 4,
  description: 10_000,
  tags: 250,
  shortcode: 2_048,
  options: 500,
  option: 1_000,
  recipients: 1_000,
  objects: 1_000,
  /** Replies that a note lists itself. */
  replies: 5,
  /** In bytes of UTF-8, because the column is indexed. */
  conversation: 2_048,
  /** Links of one object. */
  links: 20,
} as const
