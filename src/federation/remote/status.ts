import type { Ctx } from '../../domain/context.ts'
import { recordRemoteStatus } from '../../domain/statuses/record-remote.ts'
import type { RemoteStatusFacts } from '../../domain/statuses/record-remote.ts'
import { statement } from '../../platform/db/statement.ts'
import { Postponed } from '../../platform/jobs/postponed.ts'
import { visibilityOf } from '../objects/audience.ts'
import { isNote, readNote } from '../objects/read-note.ts'
import type { NoteFacts } from '../objects/read-note.ts'
import { nameQuoteRules } from '../objects/read-quote.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf, isOfType, isSameHost } from '../wire/read.ts'
import { resolveActor } from './actor.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { findKnownStatus } from './known-status.ts'
import { settleQuote } from './quote.ts'
import { isForeseen, isPassing, RemoteRefusal } from './refusals.ts'

const WRAPPERS = new Set(['Create', 'Update'])

/** How many quotes are looked into, one inside the other. */
const QUOTE_DEPTH = 2

const findAuthor = statement<{
  params: { accountId: string }
  row: { uri: string; followers_url: string | null; following_url: string | null }
}>(`select uri, followers_url, following_url from accounts where id = $accountId`)
const findAccounts = statement<{ params: { uris: readonly string[] }; row: { id: string; uri: string } }>(
  `select id, uri from accounts where uri = any($uris) and suspended_at is null`,
)

const findTop = statement<{ params: { uri: string; maxDepth: number }; row: { in_reply_to_uri: string | null } }>(
  `with recursive thread as (
     select in_reply_to_id, in_reply_to_uri, 1 as height from statuses where uri = $uri and deleted_at is null
     union all
     select parent.in_reply_to_id, parent.in_reply_to_uri, height + 1
     from thread join statuses parent on parent.id = thread.in_reply_to_id where height < $maxDepth::integer
   )
   select in_reply_to_uri from thread where in_reply_to_id is null`,
)

/**
 * The status at an address: known here, or fetched from its own server and recorded, with what it answers. What was
 * fetched, and not delivered, has to be for everybody.
 * @throws RemoteRefusal · Refusal · what `fetchDocument` and `resolveActor` throw
 */
export async function resolveStatus(ctx: Ctx, { uri, budget }: { uri: string; budget: Budget }): Promise<string> {
  const known = await findKnownStatus(ctx, uri)
  if (known !== null) return known
  const document = await fetchNote(ctx, { uri, budget })
  return recordFound(ctx, { document, budget })
}

/** Records a status whose document comes from its own server, and that is for everybody. @throws as `resolveStatus` */
export async function recordFound(
  ctx: Ctx,
  { document, budget }: { document: WireObject; budget: Budget },
): Promise<string> {
  const statusId = await recordOne(ctx, { document, budget, quoteDepth: QUOTE_DEPTH })
  await fetchAncestors(ctx, { of: document, budget }).catch((err: unknown) => {
    // The status is known from now on, so another run would not get here.
    if (!(err instanceof Postponed)) throw err
    ctx.log.debug({ err }, 'parent of a status could not be fetched')
  })
  return statusId
}

/** Fetches a status, also by the address of the activity that made it. */
export async function fetchNote(ctx: Ctx, { uri, budget }: { uri: string; budget: Budget }): Promise<WireObject> {
  const document = await fetchDocument(ctx, { uri, budget })
  if (isNote(document)) return document
  const inner = isOfType(document, WRAPPERS) ? idOf(document['object']) : null
  if (inner === null) throw new RemoteRefusal(`What lies at ${uri} is no status`)
  return fetchDocument(ctx, { uri: inner, budget })
}

async function recordOne(
  ctx: Ctx,
  { document, budget, quoteDepth }: { document: WireObject; budget: Budget; quoteDepth: number },
): Promise<string> {
  const note = readNote(document, { now: ctx.now() })
  if (note.vote !== null) throw new RemoteRefusal(`${note.uri} is a vote`)
  if (!isSameHost(note.attributedTo, note.uri)) throw new RemoteRefusal(`${note.uri} is not of its author's server`)
  const known = await findKnownStatus(ctx, note.uri)
  if (known !== null) return known
  const accountId = await resolveActor(ctx, { uri: note.attributedTo, budget })
  const facts = await describeStatus(ctx, { note, accountId, budget })
  if (facts.visibility !== 'public' && facts.visibility !== 'unlisted') {
    throw new RemoteRefusal(`${note.uri} is not for everybody`)
  }
  const { statusId } = await ctx.write((tx) => recordRemoteStatus(tx, facts))
  await followQuote(ctx, { note, budget, depth: quoteDepth })
  return statusId
}

/**
 * Looks into what a recorded status quotes, and what that quotes. What can't be had stays as it is, but for work that
 * nobody waits for and that may succeed later.
 * @throws FetchFailed · RemoteBusy, to those who are patient
 */
export async function followQuote(
  ctx: Ctx,
  { note: { uri, quote }, budget, depth = QUOTE_DEPTH }: { note: NoteFacts; budget: Budget; depth?: number },
): Promise<void> {
  if (depth === 0) return
  await settleQuote(ctx, {
    statusUri: uri,
    quote,
    budget,
    find: async (quoted) => {
      const known = await findKnownStatus(ctx, quoted)
      if (known !== null) return known
      return recordOne(ctx, { document: await fetchNote(ctx, { uri: quoted, budget }), budget, quoteDepth: depth - 1 })
    },
  }).catch((err: unknown) => {
    if (budget.background && isPassing(err)) throw err
    return doWithout(ctx, err)
  })
}

/**
 * What is to be recorded of a note by an author whose account this is. Who is mentioned is looked for elsewhere, too,
 * but not for long. `readerId`: somebody here whom it was sent to, whether it says so or not.
 */
export async function describeStatus(
  ctx: Ctx,
  {
    note,
    accountId,
    budget,
    readerId = null,
  }: { note: NoteFacts; accountId: string; budget: Budget; readerId?: string | null },
): Promise<RemoteStatusFacts> {
  const { to, cc, mentions, quoteRules, ...facts } = note
  const addressed = [...new Set([...to, ...cc])]
  const [author] = await findAuthor(ctx.db, { accountId })
  const rules = author ? nameQuoteRules(quoteRules, author) : { automatic: [], manual: [] }
  const rows = await findAccounts(ctx.db, { uris: [...addressed, ...mentions] })
  const ids = new Map(rows.map(({ uri, id }) => [uri, id]))
  const isAddressed = new Set(addressed)
  const mentionedIds: string[] = []
  for (const uri of mentions.filter((one) => isAddressed.has(one))) {
    const id = ids.get(uri) ?? (await findMentioned(ctx, { uri, budget }))
    if (id !== null) mentionedIds.push(id)
  }
  const named = new Set(mentionedIds)
  const others = addressed.map((uri) => ids.get(uri)).concat(readerId ?? [])
  return {
    ...facts,
    accountId,
    quoteAutomatic: rules.automatic,
    quoteManual: rules.manual,
    visibility: visibilityOf({ to, cc }, { followersUrl: author?.followers_url ?? null }),
    mentionedIds,
    silentIds: [...new Set(others.filter((id) => id !== undefined))].filter((id) => !named.has(id)),
  }
}

async function findMentioned(ctx: Ctx, { uri, budget }: { uri: string; budget: Budget }): Promise<string | null> {
  if (!budget.mayFetchMentioned()) return null
  return resolveActor(ctx, { uri, budget }).catch((err: unknown) => doWithout(ctx, err))
}

/**
 * Fetches what a status answers, and so on upwards, until something is known, nothing more is found, or enough has been
 * asked for. The ways between them are made as they come. `resume`: goes on above what is known, where an earlier run
 * was postponed.
 * @throws Postponed
 */
export async function fetchAncestors(
  ctx: Ctx,
  { of, budget, resume = false }: { of: WireObject; budget: Budget; resume?: boolean },
): Promise<void> {
  const answered = idOf(of['inReplyTo'])
  let next = resume ? await findUnknownAncestor(ctx, { uri: answered, maxDepth: budget.maxDepth }) : answered
  for (let height = 0; next !== null && height < budget.maxDepth; height += 1) {
    if ((await findKnownStatus(ctx, next)) !== null) return
    const parent = await fetchNote(ctx, { uri: next, budget }).catch((err: unknown) => doWithout(ctx, err))
    if (!parent) return
    const recorded = await recordOne(ctx, { document: parent, budget, quoteDepth: 1 }).catch((err: unknown) =>
      doWithout(ctx, err),
    )
    if (recorded === null) return
    next = idOf(parent['inReplyTo'])
  }
}

/** Returns the first address upwards from a status, itself included, of which no status is known. */
async function findUnknownAncestor(
  ctx: Ctx,
  { uri, maxDepth }: { uri: string | null; maxDepth: number },
): Promise<string | null> {
  if (uri === null || (await findKnownStatus(ctx, uri)) === null) return uri
  const [top] = await findTop(ctx.db, { uri, maxDepth })
  return top?.in_reply_to_uri ?? null
}

/** What is only around something is not worth failing for. */
function doWithout(ctx: Ctx, err: unknown): null {
  if (!isForeseen(err)) throw err
  ctx.log.debug({ err }, 'related object of a status could not be fetched')
  return null
}
