import type { Ctx } from '../../domain/context.ts'
import { updateRemoteStatus } from '../../domain/statuses/update-remote.ts'
import { statement } from '../../platform/db/statement.ts'
import { isNote, readNote } from '../objects/read-note.ts'
import type { WireObject } from '../wire/normalise.ts'
import { idOf } from '../wire/read.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { describeStatus, followQuote } from './status.ts'

/** Who wrote something of another server that is known here. */
export interface RemoteAuthor {
  id: string
  uri: string
}

const findAuthor = statement<{ params: { uri: string }; row: RemoteAuthor }>(
  `select a.id, a.uri from statuses s join accounts a on a.id = s.account_id
   where s.uri = $uri and not s.local and s.deleted_at is null and a.suspended_at is null`,
)

/** The author of a status of another server that is known here; null for any other. */
export async function findRemoteAuthor(ctx: Pick<Ctx, 'db'>, uri: string): Promise<RemoteAuthor | null> {
  const [row] = await findAuthor(ctx.db, { uri })
  return row ?? null
}

/** Takes in what the server of a known status shows of it now, if it shows that. Returns its id. */
export async function recordChange(
  ctx: Ctx,
  { uri, author, document, budget }: { uri: string; author: RemoteAuthor; document: WireObject; budget: Budget },
): Promise<string | null> {
  if (!isNote(document) || idOf(document) !== uri || idOf(document['attributedTo']) !== author.uri) return null
  const note = readNote(document, { now: ctx.now() })
  const facts = await describeStatus(ctx, { note, accountId: author.id, budget })
  const changed = await ctx.write((tx) => updateRemoteStatus(tx, facts))
  if (changed) await followQuote(ctx, { note, budget })
  return changed?.statusId ?? null
}

/** Asks the server of a known status for it again. Null when it is not known, or not there any more. @throws as `fetchDocument` */
export async function renewStatus(ctx: Ctx, { uri, budget }: { uri: string; budget: Budget }): Promise<string | null> {
  const author = await findRemoteAuthor(ctx, uri)
  if (!author) return null
  const document = await fetchDocument(ctx, { uri, budget })
  return recordChange(ctx, { uri, author, document, budget })
}
