import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { attachPoll } from '../polls/attach.ts'
import type { PollDraft } from '../polls/check.ts'
import { addresseeOf } from './addressee.ts'
import { checkText } from './check-text.ts'
import { claimMedia } from './claim-media.ts'
import { findMentions } from './find-mentions.ts'
import type { MentionedAccount } from './find-mentions.ts'
import { formatContent } from './format-content.ts'
import { hashtagsOf, tagStatus } from './tag-status.ts'
import { shiftOriginCounter } from './shift-origin-counter.ts'
import { findVisibleStatus } from './visibility.ts'
import type { StatusRow } from './visibility.ts'

export interface Draft {
  text: string
  spoilerText: string
  visibility?: StatusRow['visibility']
  sensitive?: boolean
  language?: string
  inReplyToId?: string
  mediaIds: readonly string[]
  poll?: PollDraft | undefined
  localOnly: boolean
  /** When given, the only accounts that the text may mention. */
  allowedMentions?: readonly string[]
  /** The same key, sent again within an hour, gives the status that the first one made. */
  idempotencyKey?: string
}

/** Thrown when a text would reach people that its author did not name. The door adds the accounts. */
export class UnexpectedMentions extends Unprocessable {
  readonly accountIds: string[]

  constructor(accountIds: string[]) {
    super('Post would be sent to unexpected accounts')
    this.accountIds = accountIds
  }
}

interface Author {
  locked: boolean
  silenced: boolean
  username: string
  default_privacy: StatusRow['visibility'] | null
  default_sensitive: boolean
  default_language: string | null
  locale: string
}

const findAuthor = statement<Author>(
  `select a.locked, a.silenced_at is not null as silenced, a.username,
     u.default_privacy, u.default_sensitive, u.default_language, u.locale
   from accounts a join users u on u.account_id = a.id where a.id = $1`,
)

// The first of several parallel requests with one key holds this lock until it commits; the others then find its row.
const lockKey = statement(`select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0))`)
const findKey = statement<{ status_id: string }>(
  `select status_id from idempotency_keys where account_id = $1 and key = $2 and created_at > $3::timestamptz - interval '1 hour'`,
)
const keepKey = statement(
  `insert into idempotency_keys (account_id, key, status_id, created_at) values ($1, $2, $3, $4)
   on conflict (account_id, key) do update set status_id = excluded.status_id, created_at = excluded.created_at`,
)

const insertStatus = statement<{ id: string }>(
  `insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, conversation_id, application_id, local_only, created_at)
   select id, $1::bigint, $2 || '/ap/users/' || $1 || '/statuses/' || id, $2 || '/@' || $3 || '/' || id,
     $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, to_timestamp((id >> 16) / 1000.0)
   from next_status_id() id returning id`,
)
const insertConversation = statement<{ id: string }>(`insert into conversations default values returning id`)
const insertMentions = statement(
  `insert into mentions (status_id, account_id) select $1, id from unnest($2::bigint[]) id order by id`,
)
const countStatus = statement(
  `update account_stats set statuses_count = statuses_count + $2, last_status_at = $3 where account_id = $1`,
)
const countReply = statement(
  `insert into status_stats (status_id, replies_count) values ($1, 1)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + 1`,
)

/**
 * Posts a status. Returns its id, and whether it is new: a repeated idempotency key gives the first one's.
 * @throws ValidationFailed · NotFound for a reply to what the author can't see · UnexpectedMentions · Unprocessable
 */
export async function postStatus(
  tx: Tx,
  { accountId, applicationId, draft }: { accountId: string; applicationId: string | null; draft: Draft },
): Promise<{ statusId: string; isNew: boolean }> {
  if (draft.idempotencyKey !== undefined) {
    await lockKey(tx.db, [accountId, draft.idempotencyKey])
    const [known] = await findKey(tx.db, [accountId, draft.idempotencyKey, tx.now])
    if (known) return { statusId: known.status_id, isNew: false }
  }
  const { text, spoilerText } = checkText({
    text: draft.text,
    spoilerText: draft.spoilerText,
    hasMedia: draft.mediaIds.length > 0,
  })
  const author = await findAuthorRow(tx, accountId)
  const parent = await findParent(tx, { accountId, inReplyToId: draft.inReplyToId })
  const mentioned = await findMentions(tx, { text })
  refuseUnexpected({ mentioned, accountId, allowed: draft.allowedMentions })

  const visibility = chooseVisibility(author, draft.visibility)
  const [row] = await insertStatus(tx.db, [
    accountId,
    tx.config.origin,
    author.username,
    text,
    formatContent(tx, { text, mentions: mentioned }),
    spoilerText,
    visibility,
    (draft.sensitive ?? author.default_sensitive) || spoilerText !== '',
    chooseLanguage(author, draft.language),
    parent?.id ?? null,
    parent ? addresseeOf(parent, accountId) : null,
    parent?.conversation_id ?? (await insertConversation(tx.db, []))[0]!.id,
    applicationId,
    draft.localOnly,
  ])
  const statusId = row!.id
  await claimMedia(tx, { statusId, accountId, mediaIds: draft.mediaIds })
  if (draft.poll) await attachPoll(tx, { statusId, accountId, draft: draft.poll })
  if (mentioned.length > 0) await insertMentions(tx.db, [statusId, mentioned.map((one) => one.id)])
  await tagStatus(tx, { statusId, tags: hashtagsOf(text) })
  if (parent && (visibility === 'public' || visibility === 'unlisted')) {
    await countReply(tx.db, [parent.id])
    await shiftOriginCounter(tx, { statusId: parent.id, counter: 'replies', by: 1 })
  }
  // A direct status is neither counted nor a sign of life, as far as others may know.
  if (visibility !== 'direct') await countStatus(tx.db, [accountId, 1, tx.now])
  if (draft.idempotencyKey !== undefined) await keepKey(tx.db, [accountId, draft.idempotencyKey, statusId, tx.now])
  tx.emit('status.posted', { statusId })
  return { statusId, isNew: true }
}

async function findAuthorRow(tx: Tx, accountId: string): Promise<Author> {
  const [author] = await findAuthor(tx.db, [accountId])
  if (!author) throw new NotFound()
  return author
}

/** What is replied to; of a boost, what it boosts. */
async function findParent(
  tx: Tx,
  { accountId, inReplyToId }: { accountId: string; inReplyToId: string | undefined },
): Promise<StatusRow | null> {
  if (inReplyToId === undefined || inReplyToId === '') return null
  const absent = new NotFound('The post you are trying to reply to does not appear to exist.')
  if (!isId(inReplyToId)) throw absent
  const find = (id: string) =>
    findVisibleStatus(tx, { id, viewerId: accountId }).catch((err: unknown) => {
      throw err instanceof NotFound ? absent : err
    })
  const parent = await find(inReplyToId)
  return parent.reblog_of_id === null ? parent : find(parent.reblog_of_id)
}

function chooseVisibility(author: Author, asked: StatusRow['visibility'] | undefined): StatusRow['visibility'] {
  const visibility = asked ?? author.default_privacy ?? (author.locked ? 'private' : 'public')
  return author.silenced && visibility === 'public' ? 'unlisted' : visibility
}

function chooseLanguage(author: Author, asked: string | undefined): string {
  return normalizeLanguage(asked ?? '') ?? author.default_language ?? normalizeLanguage(author.locale) ?? 'en'
}

function refuseUnexpected({
  mentioned,
  accountId,
  allowed,
}: {
  mentioned: readonly MentionedAccount[]
  accountId: string
  allowed: readonly string[] | undefined
}): void {
  if (allowed === undefined) return
  const unexpected = mentioned.map((one) => one.id).filter((id) => id !== accountId && !allowed.includes(id))
  if (unexpected.length > 0) throw new UnexpectedMentions(unexpected)
}
