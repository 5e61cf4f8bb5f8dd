import type { Ctx } from '../../domain/context.ts'
import { recordRemoteStatus } from '../../domain/statuses/record-remote.ts'
import { originalVisibleTo } from '../../domain/statuses/visibility.ts'
import { statement } from '../../platform/db/statement.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { isNote, readNote } from '../objects/read-note.ts'
import type { NoteFacts } from '../objects/read-note.ts'
import { resolveActor } from '../remote/actor.ts'
import type { Budget } from '../remote/budget.ts'
import { fetchDocument } from '../remote/document.ts'
import { describeStatus, fetchAncestors, followQuote } from '../remote/status.ts'
import { visibilityOf } from '../objects/audience.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf } from '../wire/read.ts'
import { embedded, ownId } from './incoming.ts'
import type { Incoming } from './incoming.ts'

const findConcern = statement<{
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
    named: boolean
    answers: boolean
    quotes: boolean
  }
}>(
  `select a.followers_url,
     exists (select from follows f join accounts l on l.id = f.account_id
       where f.target_account_id = a.id and l.domain is null) as followed,
     $readerId::bigint is not null or exists (select from accounts l where l.uri = any($uris)
       and l.domain is null) as named,
     exists (select from statuses p join accounts pa on pa.id = p.account_id
       where p.uri = $inReplyTo and not p.local_only and ${originalVisibleTo('a.id', 'p')} and (pa.domain is null
         or exists (
         select from follows f join accounts l on l.id = f.account_id
         where f.target_account_id = pa.id and l.domain is null))) as answers,
     exists (select from statuses q where q.uri = $quoteUri and q.local and q.deleted_at is null) as quotes
   from (select $attributedTo::text as uri) asked left join accounts a on a.uri = asked.uri`,
)

/** The note that an activity of its author is about, as `findDocument` finds it; null also for votes. */
export async function findNote(
  ctx: Ctx,
  input: { activity: ActivityFacts; budget: Budget },
): Promise<WireObject | null> {
  const document = await findDocument(ctx, input)
  return document && readNote(document, { now: ctx.now() }).vote === null ? document : null
}

/**
 * The note or the vote that an activity of its author is about: as it is sent along, or as its own server shows it. Null
 * for other kinds of things, and for what is somebody else's.
 */
export async function findDocument(
  ctx: Ctx,
  { activity, budget }: { activity: ActivityFacts; budget: Budget },
): Promise<WireObject | null> {
  const id = ownId(activity, activity.object)
  if (id === null) return null
  const sent = embedded(activity.object)
  if (sent && !isNote(sent)) return null
  const isTheirs = (document: WireObject) => idOf(document['attributedTo']) === activity.actor
  const document = sent && isTheirs(sent) ? sent : await fetchDocument(ctx, { uri: id, budget })
  return isNote(document) && idOf(document) === id && isTheirs(document) ? document : null
}

/**
 * Records a note that was delivered, if it concerns anybody here: by somebody who is followed here, to somebody here, in
 * answer to somebody here or followed here whose status its author can see, or with a quote of somebody here. What is not for everybody does only if it is for somebody here. False if
 * it was known already.
 */
export async function takeNote(
  ctx: Ctx,
  { document, incoming }: { document: WireObject; incoming: Incoming },
): Promise<boolean> {
  const { activity, budget, inboxAccountId: readerId } = incoming
  const note = readNote(document, { now: ctx.now() })
  if (!(await concernsAnybody(ctx, { note, readerId }))) return true
  const accountId = await resolveActor(ctx, { uri: activity.actor, budget })
  const facts = await describeStatus(ctx, { note, accountId, budget, readerId })
  const { isNew } = await ctx.write((tx) => recordRemoteStatus(tx, facts))
  // The thread is joined from below, so that nobody waits for a slow server that has another part of it.
  await fetchAncestors(ctx, { of: document, budget, resume: !isNew })
  await followQuote(ctx, { note, budget })
  return isNew
}

async function concernsAnybody(
  ctx: Ctx,
  { note, readerId }: { note: NoteFacts; readerId: string | null },
): Promise<boolean> {
  const { attributedTo, to, cc, inReplyTo, quote } = note
  const [row] = await findConcern(ctx.db, {
    attributedTo,
    uris: [...to, ...cc],
    inReplyTo,
    readerId,
    quoteUri: quote?.uri ?? null,
  })
  const { followers_url: followersUrl, followed, named, answers, quotes } = row!
  const visibility = visibilityOf({ to, cc }, { followersUrl })
  if (visibility === 'direct') return named
  if (visibility === 'private') return followed || named
  return followed || named || answers || quotes
}
