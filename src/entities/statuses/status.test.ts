import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, emoji, now, status, tag } from '../../../test/http/entities/entity-samples.ts'
import { type EntityName, assertEntity, matchesEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { PreviewCard } from './card.ts'
import type { Collection } from '../accounts/collection.ts'
import type { FilterResult } from '../accounts/filter.ts'
import type { MediaAttachment } from './media.ts'
import type { Poll } from './poll.ts'
import type { ScheduledStatus } from './scheduled-status.ts'
import type { Context, Status, StatusEdit } from './status.ts'

const media: MediaAttachment = {
  id: '5',
  type: 'video',
  url: 'https://a.test/5.mp4',
  preview_url: 'https://a.test/5.png',
  remote_url: null,
  preview_remote_url: null,
  text_url: null,
  meta: {
    original: { width: 640, height: 360, frame_rate: '30/1', duration: 2.5, bitrate: 800_000 },
    small: { width: 320, height: 180, size: '320x180', aspect: 1.777 },
    focus: { x: -0.5, y: 1 },
  },
  description: null,
  blurhash: 'UBL_:rOpGG-;~qRjWBay',
}

const poll: Poll = {
  id: '6',
  expires_at: now,
  expired: false,
  multiple: false,
  votes_count: 1,
  voters_count: null,
  options: [
    { title: 'Yes', votes_count: 1 },
    { title: 'No', votes_count: null },
  ],
  emojis: [],
  voted: true,
  own_votes: [0],
}

const card: PreviewCard = {
  url: 'https://c.test/story',
  title: 'A story',
  description: '',
  language: 'en',
  type: 'link',
  authors: [{ name: 'Ada', url: 'https://b.test/@ada', account }],
  author_name: 'Ada',
  author_url: '',
  provider_name: 'C',
  provider_url: '',
  html: '',
  width: 0,
  height: 0,
  image: null,
  image_description: '',
  embed_url: '',
  blurhash: null,
  published_at: null,
}

const filterResult: FilterResult = {
  filter: {
    id: '8',
    title: 'Spoilers',
    context: ['home', 'thread'],
    expires_at: null,
    filter_action: 'blur',
  },
  keyword_matches: ['ending'],
  status_matches: null,
}

const collection: Collection = {
  id: '9',
  uri: 'https://a.test/ap/collections/9',
  url: 'https://a.test/collections/9',
  account_id: account.id,
  name: 'Counters',
  description: null,
  language: null,
  local: true,
  sensitive: false,
  discoverable: true,
  tag: { name: 'maths', url: 'https://a.test/tags/maths' },
  item_count: 1,
  items: [{ id: '10', account_id: account.id, state: 'accepted', created_at: now }],
  created_at: now,
  updated_at: now,
}

const full: Status = {
  ...status,
  id: '11',
  edited_at: now,
  media_attachments: [media],
  mentions: [{ id: account.id, username: 'ada', url: account.url, acct: 'ada@b.test' }],
  tags: [{ name: 'maths', url: 'https://a.test/tags/maths' }],
  emojis: [emoji],
  application: { name: 'Web', website: null },
  poll,
  card,
  quote: { state: 'accepted', quoted_status: { ...status, quote: { state: 'accepted', quoted_status_id: '4' } } },
  tagged_collections: [collection],
  local_only: true,
  favourited: false,
  reblogged: true,
  muted: false,
  bookmarked: false,
  pinned: true,
  filtered: [filterResult],
}

const reblog: Status = { ...status, id: '12', content: '', reblog: full }

const deleted: Status = { ...status, content: undefined, text: 'Hello' }

const edit: StatusEdit = {
  content: '<p>Hello</p>',
  spoiler_text: '',
  sensitive: false,
  created_at: now,
  account,
  poll: { options: [{ title: 'Yes' }] },
  media_attachments: [media],
  emojis: [],
  quote: full.quote,
}

const context: Context = { ancestors: [status], descendants: [full, reblog] }

const scheduled: ScheduledStatus = {
  id: '13',
  scheduled_at: now,
  params: {
    text: 'Later',
    media_ids: null,
    sensitive: null,
    spoiler_text: null,
    visibility: 'private',
    language: 'de',
    scheduled_at: null,
    poll: { options: ['Yes', 'No'], expires_in: '3600', multiple: 'true' },
    idempotency: null,
    with_rate_limit: false,
    application_id: '14',
    in_reply_to_id: '7',
    quoted_status_id: null,
    quote_approval_policy: 'nobody',
    allowed_mentions: null,
  },
  media_attachments: [],
}

test('minimal, complete, reblogged and deleted statuses are valid', () => {
  assertEntity('Status', status)
  assertEntity('Status', full)
  assertEntity('Status', reblog)
  assertEntity('Status', deleted)
  assertEntity('StatusEdit', edit)
  assertEntity('Context', context)
  assertEntity('ScheduledStatus', scheduled)
})

test('the entities that belong to a status are valid', () => {
  assertEntity('MediaAttachment', media)
  assertEntity('MediaAttachment', { ...media, type: 'unknown', url: null, meta: {}, blurhash: null })
  assertEntity('Poll', poll)
  assertEntity('PreviewCard', card)
  assertEntity('TrendsLink', { ...card, history: tag.history })
  assertEntity('FilterResult', filterResult)
  assertEntity('CollectionWithAccounts', { collection, accounts: [account] })
})

const wrong: [why: string, EntityName, unknown][] = [
  ['an unknown type of media', 'MediaAttachment', { ...media, type: 'gif' }],
  ['a focus outside the picture', 'MediaAttachment', { ...media, meta: { focus: { x: 2, y: 0 } } }],
  ['a broken account two boosts deep', 'Status', { ...reblog, reblog: { ...reblog, account: {} } }],
  ['a limited visibility', 'Status', { ...status, visibility: 'limited' }],
  ['a null in place of tags', 'Status', { ...status, tags: null }],
  ['half a quote', 'Status', { ...status, quotes_count: 0.5 }],
  ['local_only: false where the key must be absent', 'Status', { ...status, local_only: false }],
  ['a quote without its state', 'Status', { ...status, quote: { quoted_status: null } }],
  ['an unknown state of a quote', 'Status', { ...status, quote: { state: 'maybe', quoted_status_id: null } }],
  ['a broken post inside a quote', 'Status', { ...status, quote: { state: 'accepted', quoted_status: { id: '1' } } }],
  ['a broken post in a thread', 'Context', { ...context, ancestors: [{ ...status, id: 7 }] }],
  ['an app by a number', 'ScheduledStatus', { ...scheduled, params: { ...scheduled.params, application_id: 14 } }],
]

for (const [why, name, value] of wrong) {
  test(`${name} rejects ${why}`, () => assert.equal(matchesEntity(name, value), false))
}
