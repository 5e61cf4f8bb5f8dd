import type { Account } from '../../../src/entities/accounts/account.ts'
import type { CustomEmoji } from '../../../src/entities/statuses/emoji.ts'
import type { Status } from '../../../src/entities/statuses/status.ts'
import type { Tag } from '../../../src/entities/statuses/tag.ts'

/** Valid entities, for tests of the JSON schemas. */

export const now = '2026-11-20T08:15:30.123Z'

export const emoji: CustomEmoji = {
  shortcode: 'blobcat',
  url: 'https://a.test/blobcat.gif',
  static_url: 'https://a.test/blobcat.png',
  visible_in_picker: true,
}

export const account: Account = {
  id: '109999999999999999',
  username: 'ada',
  acct: 'ada@b.test',
  url: 'https://b.test/@ada',
  uri: 'https://b.test/ap/users/1',
  display_name: 'Ada :blobcat:',
  note: '<p>Counts.</p>',
  avatar: 'https://a.test/avatar.png',
  avatar_static: 'https://a.test/avatar.png',
  avatar_description: '',
  header: 'https://a.test/header.png',
  header_static: 'https://a.test/header.png',
  header_description: '',
  locked: false,
  bot: false,
  group: false,
  discoverable: null,
  indexable: false,
  hide_collections: null,
  created_at: '2026-01-01T00:00:00.000Z',
  last_status_at: '2026-11-19',
  statuses_count: 3,
  followers_count: 2,
  following_count: 1,
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  emojis: [emoji],
  fields: [{ name: 'Web', value: '<a href="https://ada.test">ada.test</a>', verified_at: now }],
  feature_approval: { automatic: ['public'], manual: [], current_user: 'automatic' },
}

export const local: Account = {
  ...account,
  acct: 'ada',
  last_status_at: null,
  roles: [{ id: '3', name: 'Owner', color: '#ff3300' }],
  noindex: false,
  moved: account,
  limited: true,
}

export const status: Status = {
  id: '7',
  uri: 'https://b.test/ap/statuses/7',
  url: null,
  created_at: now,
  edited_at: null,
  account,
  content: '<p>Hello</p>',
  visibility: 'public',
  sensitive: false,
  spoiler_text: '',
  language: null,
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  replies_count: 0,
  reblogs_count: 0,
  favourites_count: 0,
  quotes_count: 0,
  media_attachments: [],
  mentions: [],
  tags: [],
  emojis: [],
  application: null,
  reblog: null,
  poll: null,
  card: null,
  quote: null,
  quote_approval: { automatic: ['public'], manual: ['followers'], current_user: 'automatic' },
  tagged_collections: [],
}

export const tag: Tag = {
  id: '20',
  name: 'maths',
  url: 'https://a.test/tags/maths',
  history: [{ day: '1763596800', accounts: '1', uses: '2' }],
}
