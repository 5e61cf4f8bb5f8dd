/** How much of what others say is kept. Texts in UTF-16 units, the rest in pieces; what is beyond is left out. */
export const LIMITS = {
  username: 2_048,
  displayName: 2_048,
  note: 20_480,
  fields: 50,
  field: 2_047,
  aliases: 256,
  attributionDomains: 256,
  keys: 10,
  /** Who is named in a rule on who may do something. */
  policy: 20,
  /** Of a collection of accounts. */
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
  /** In UTF-8: an index holds it. */
  conversation: 2_048,
  /** Ways to one thing that are looked at. */
  links: 20,
} as const
