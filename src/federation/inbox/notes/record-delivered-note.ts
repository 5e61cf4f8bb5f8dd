import type { Ctx } from '../../../domain/context.ts'
import { recordRemoteStatus } from '../../../domain/statuses/remote/record-remote-status.ts'
import { originalVisibleTo } from '../../../domain/access/visibility.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { isNote, readNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import { resolveActor } from '../../remote/actors/resolve-actor.ts'
import type { FetchBudget } from '../../remote/fetch/budget.ts'
import { fetchDocument } from '../../remote/fetch/fetch-document.ts'
import { toRemoteStatus, fetchAncestors, resolveQuotedStatus } from '../../remote/statuses/resolve-status.ts'
import { visibilityOf } from '../../objects/audience.ts'
import type { WireObject } from '../../wire/normalise.ts'
import { idOf } from '../../wire/read-values.ts'
import { embeddedObject, sameOriginId } from '../incoming-activity.ts'
import type { IncomingActivity } from '../incoming-activity.ts'

const selectRelevance = statement<{
  params: {
    attributedTo: string
    uris: readonly string[]
    inReplyTo: string | null
    readerId: string | null
    quoteUri: string | null
  }
  row: {
    followers_url: string | null
    followed: boolean
    is_addressed: boolean
    is_relevant_reply: boolean
    quotes_local: boolean
  }
}>(
  `select a.followers_url,
     exists (select from follows f join accounts l on l.id = f.account_id
       where f.target_account_id = a.id and l.domain is null) as followed,
     $readerId::bigint is not null or exists (select from accounts l where l.uri = any($uris)
       and l.domain is null) as is_addressed,
     exists (select from statuses p join accounts pa on pa.id = p.account_id
       where p.uri = $inReplyTo and not p.local_only and ${originalVisibleTo('a.id', 'p')} and (pa.domain is null
         or exists (
         select from follows f join accounts l on l.id = f.account_id
         where f.target_account_id = pa.id and l.domain is null))) as is_relevant_reply,
     exists (select from statuses q where q.uri = $quoteUri and q.local and q.deleted_at is null) as quotes_local
   from (select $attributedTo::text as uri) author left join accounts a on a.uri = author.uri`,
)

/** Returns the same as `findNoteOrVote`, but null for a vote. */
export async function findNote(
  ctx: Ctx,
  input: { activity: ParsedActivity; budget: FetchBudget },
): Promise<WireObject | null> {
  const document = await findNoteOrVote(ctx, input)
  return document && readNote(document, { now: ctx.now() }).vote === null ? document : null
}

/**
 * Returns the note or vote that is the object of its author's activity: the embedded object, or the document fetched
 * from its server. Returns null for objects of other types and of other authors.
 */
export async function findNoteOrVote(
  ctx: Ctx,
  { activity, budget }: { activity: ParsedActivity; budget: FetchBudget },
): Promise<WireObject | null> {
  const id = sameOriginId(activity, activity.object)
  if (id === null) return null
  const embedded = embeddedObject(activity.object)
  if (embedded && !isNote(embedded)) return null
  const isByActor = (document: WireObject) => idOf(document['attributedTo']) === activity.actor
  const document = embedded && isByActor(embedded) ? embedded : await fetchDocument(ctx, { uri: id, budget })
  return isNote(document) && idOf(document) === id && isByActor(document) ? document : null
}

/**
 * Records a delivered note, if it is relevant: a local account follows its author, it is addressed to a local account,
 * it quotes a local status, or it replies to a status, visible to its author, by an account that is local or followed
 * by a local account. A followers-only note is relevant only to followers and addressed accounts, a direct note only to
 * addressed accounts. Returns false if it was stored already.
 */
export async function recordDeliveredNote(
  ctx: Ctx,
  { document, incoming }: { document: WireObject; incoming: IncomingActivity },
): Promise<boolean> {
  const { activity, budget, inboxAccountId: readerId } = incoming
  const note = readNote(document, { now: ctx.now() })
  if (!(await isRelevant(ctx, { note, readerId }))) return true
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const parsedStatus = await toRemoteStatus(ctx, { note, accountId, budget, readerId })
  const { isNew } = await ctx.write((tx) => recordRemoteStatus(tx, parsedStatus))
  // The ancestors are fetched after the note is stored, so that the note does not wait for a slow server.
  await fetchAncestors(ctx, { of: document, budget, resume: !isNew })
  await resolveQuotedStatus(ctx, { note, budget })
  return isNew
}

async function isRelevant(
  ctx: Ctx,
  { note, readerId }: { note: ParsedNote; readerId: string | null },
): Promise<boolean> {
  const { attributedTo, to, cc, inReplyTo, quote } = note
  const [row] = await selectRelevance(ctx.db, {
    attributedTo,
    uris: [...to, ...cc],
    inReplyTo,
    readerId,
    quoteUri: quote?.uri ?? null,
  })
  const { followers_url: followersUrl, followed, is_addressed: isAddressed } = row!
  const visibility = visibilityOf({ to, cc }, { followersUrl })
  if (visibility === 'direct') return isAddressed
  if (visibility === 'private') return followed || isAddressed
  return followed || isAddressed || row!.is_relevant_reply || row!.quotes_local
}
