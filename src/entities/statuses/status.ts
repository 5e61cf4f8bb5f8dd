import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
import { QuoteApproval } from './approval.ts'
import { PreviewCard } from './card.ts'
import { Collection } from '../accounts/collection.ts'
import { CustomEmoji } from './emoji.ts'
import { FilterResult } from '../accounts/filter.ts'
import { Id } from '../schema/id.ts'
import { MediaAttachment } from './media.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { Poll } from './poll.ts'
import { ref, refTo } from '../schema/ref.ts'
import { ShallowTag } from './tag.ts'
import { DateTime } from '../schema/time.ts'

export const StatusMention = Type.Object(
  {
    id: Type.With(Id, { description: 'Id of the mentioned account.' }),
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
      description: 'Null unless the quote is accepted, or hidden only because of a block or mute of the caller.',
    }),
  },
  { $id: 'Quote' },
)
export type Quote = Static<typeof Quote>

export const ShallowQuote = Type.Object(
  { state: QuoteState, quoted_status_id: nullable(Id) },
  {
    $id: 'ShallowQuote',
    description: 'A quote within a quoted status. It has only an id, so that quotes do not nest.',
  },
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
  content: Type.Optional(Type.String({ description: 'HTML. The response to a deletion has `text` instead.' })),
  text: Type.Optional(Type.String({ description: 'As typed. Only in the response to a deletion.' })),
  visibility: oneOf(['public', 'unlisted', 'private', 'direct']),
  spoiler_text: Type.String({ description: 'The content warning as plain text.' }),
  language: nullable(Type.String()),
  in_reply_to_id: nullable(Id),
  in_reply_to_account_id: nullable(Id),
  media_attachments: Type.Array(ref(MediaAttachment)),
  mentions: Type.Array(ref(StatusMention)),
  tags: Type.Array(ref(ShallowTag)),
  local_only: Type.Optional(
    Type.Literal(true, { description: 'The status is visible only to users of this server and does not federate.' }),
  ),
})
export type StatusContent = Static<typeof StatusContent>

/** Fields that are equal for all viewers and change without a new version of the status. */
export const StatusCounters = Type.Object({
  replies_count: Type.Integer(),
  reblogs_count: Type.Integer(),
  favourites_count: Type.Integer(),
  quotes_count: Type.Integer({ description: 'Number of accepted quotes.' }),
  emojis: Type.Array(ref(CustomEmoji), { description: 'Custom emojis in the text, the content warning and the poll.' }),
})
export type StatusCounters = Static<typeof StatusCounters>

export type StatusShared = StatusContent & StatusCounters

/** Fields that differ between viewers, and nested entities that have such fields. */
export const StatusForViewer = Type.Object({
  account: ref(Account),
  application: Type.Optional(
    nullable(Type.Object({ name: Type.String(), website: nullable(Type.String()) }), {
      description: 'Null for reblogs and for remote statuses. Absent for other viewers if the author hides it.',
    }),
  ),
  sensitive: Type.Boolean({
    description: 'Set by the author, or for all statuses of the author by the staff. Authors get their own value.',
  }),
  reblog: nullable(refTo<Status>('Status')),
  poll: nullable(ref(Poll)),
  card: nullable(ref(PreviewCard)),
  tagged_collections: Type.Array(ref(Collection), {
    description: 'The known collections to whose pages the text links, as anonymous users see them.',
  }),
  quote: AnyQuote,
  quote_approval: ref(QuoteApproval),
  favourited: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  reblogged: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  muted: Type.Optional(Type.Boolean({ description: 'The conversation is muted. Only with a user token.' })),
  bookmarked: Type.Optional(Type.Boolean({ description: 'Only with a user token.' })),
  pinned: Type.Optional(Type.Boolean({ description: "Only for the caller's own statuses that can be pinned." })),
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
    created_at: Type.With(DateTime, { description: 'When this version was created.' }),
    account: ref(Account),
    poll: Type.Optional(Type.Object({ options: Type.Array(Type.Object({ title: Type.String() })) })),
    media_attachments: Type.Array(ref(MediaAttachment), { description: 'With the alternative texts of this version.' }),
    emojis: Type.Array(ref(CustomEmoji)),
    quote: Type.Optional(AnyQuote),
  },
  { $id: 'StatusEdit' },
)
export type StatusEdit = Static<typeof StatusEdit>

export const Context = Type.Object(
  {
    ancestors: Type.Array(ref(Status), { description: 'From the first status of the thread downwards.' }),
    descendants: Type.Array(ref(Status), { description: "In tree order, with the author's self-replies first." }),
  },
  { $id: 'Context' },
)
export type Context = Static<typeof Context>
