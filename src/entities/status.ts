import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { QuoteApproval } from './approval.ts'
import { PreviewCard } from './card.ts'
import { Collection } from './collection.ts'
import { CustomEmoji } from './emoji.ts'
import { FilterResult } from './filter.ts'
import { Id } from './id.ts'
import { MediaAttachment } from './media.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'
import { Poll } from './poll.ts'
import { ref, refTo } from './ref.ts'
import { ShallowTag } from './tag.ts'
import { DateTime } from './time.ts'

export const StatusMention = Type.Object(
  {
    id: Type.With(Id, { description: "The mentioned account's id." }),
    username: Type.String(),
    url: Type.String(),
    acct: Type.String(),
  },
  { $id: 'StatusMention' },
)

const QuoteState = oneOf([
  'pending',
  'accepted',
  'rejected',
  'revoked',
  'deleted',
  'unauthorized',
  'blocked_account',
  'blocked_domain',
  'muted_account',
])

export const Quote = Type.Object(
  {
    state: QuoteState,
    quoted_status: nullable(refTo<Status>('Status'), {
      description: 'Null unless accepted, or withheld only because the caller blocks or mutes.',
    }),
  },
  { $id: 'Quote' },
)
export type Quote = Static<typeof Quote>

export const ShallowQuote = Type.Object(
  { state: QuoteState, quoted_status_id: nullable(Id) },
  { $id: 'ShallowQuote', description: 'A quote inside a quoted post: its id alone, so that quotes do not nest.' },
)
export type ShallowQuote = Static<typeof ShallowQuote>

const AnyQuote = Type.Union([ref(Quote), ref(ShallowQuote), Type.Null()])

/** Fields that are equal for all viewers and change only with the version of the status. */
export const StatusContent = Type.Object({
  id: Id,
  uri: Type.String({ description: 'The ActivityPub id.' }),
  url: nullable(Type.String()),
  created_at: DateTime,
  edited_at: nullable(DateTime),
  content: Type.Optional(Type.String({ description: 'HTML. The answer to a deletion has `text` instead.' })),
  text: Type.Optional(Type.String({ description: 'As typed. Only in the answer to a deletion.' })),
  visibility: oneOf(['public', 'unlisted', 'private', 'direct']),
  sensitive: Type.Boolean(),
  spoiler_text: Type.String({ description: 'The content warning, plain text.' }),
  language: nullable(Type.String()),
  in_reply_to_id: nullable(Id),
  in_reply_to_account_id: nullable(Id),
  media_attachments: Type.Array(ref(MediaAttachment)),
  mentions: Type.Array(ref(StatusMention)),
  tags: Type.Array(ref(ShallowTag)),
  tagged_collections: Type.Array(ref(Collection)),
  local_only: Type.Optional(Type.Literal(true, { description: 'Never leaves this server.' })),
})
export type StatusContent = Static<typeof StatusContent>

/** Fields that are equal for all viewers and change while the version stays. */
export const StatusCounters = Type.Object({
  replies_count: Type.Integer(),
  reblogs_count: Type.Integer(),
  favourites_count: Type.Integer(),
  quotes_count: Type.Integer({ description: 'Accepted quotes.' }),
  emojis: Type.Array(ref(CustomEmoji), { description: 'Those in the text, the content warning and the poll.' }),
})
export type StatusCounters = Static<typeof StatusCounters>

export type StatusShared = StatusContent & StatusCounters

/** Fields that differ between viewers, and nested entities that have such fields. */
export const StatusForViewer = Type.Object({
  account: ref(Account),
  application: Type.Optional(
    nullable(Type.Object({ name: Type.String(), website: nullable(Type.String()) }), {
      description: 'Absent for others when the author hides it; null for posts of other servers.',
    }),
  ),
  reblog: nullable(refTo<Status>('Status')),
  poll: nullable(ref(Poll)),
  card: nullable(ref(PreviewCard)),
  quote: AnyQuote,
  quote_approval: ref(QuoteApproval),
  favourited: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  reblogged: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  muted: Type.Optional(Type.Boolean({ description: 'The conversation is muted. Only with a user token.' })),
  bookmarked: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  pinned: Type.Optional(Type.Boolean({ description: "Only on the caller's own posts that can be pinned." })),
  filtered: Type.Optional(Type.Array(ref(FilterResult), { description: 'Only with a user token.' })),
})
export type StatusForViewer = Static<typeof StatusForViewer>

export const Status = Type.Object(
  { ...StatusContent.properties, ...StatusCounters.properties, ...StatusForViewer.properties },
  { $id: 'Status' },
)
export interface Status extends Static<typeof Status> {}

export const StatusSource = Type.Object(
  {
    id: Id,
    text: Type.String({ description: 'As typed.' }),
    spoiler_text: Type.String(),
  },
  { $id: 'StatusSource' },
)
export type StatusSource = Static<typeof StatusSource>

export const StatusEdit = Type.Object(
  {
    content: Type.String({ description: 'HTML.' }),
    spoiler_text: Type.String(),
    sensitive: Type.Boolean(),
    created_at: Type.With(DateTime, { description: 'When this version was made.' }),
    account: ref(Account),
    poll: Type.Optional(Type.Object({ options: Type.Array(Type.Object({ title: Type.String() })) })),
    media_attachments: Type.Array(ref(MediaAttachment), { description: 'With their descriptions of that time.' }),
    emojis: Type.Array(ref(CustomEmoji)),
    quote: Type.Optional(AnyQuote),
  },
  { $id: 'StatusEdit' },
)
export type StatusEdit = Static<typeof StatusEdit>

export const Context = Type.Object(
  {
    ancestors: Type.Array(ref(Status), { description: 'From the first post of the thread down.' }),
    descendants: Type.Array(ref(Status), { description: "In the order of the tree, the author's own replies first." }),
  },
  { $id: 'Context' },
)
export type Context = Static<typeof Context>
