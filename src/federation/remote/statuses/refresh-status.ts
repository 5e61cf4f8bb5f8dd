import type { Ctx } from '../../../domain/context.ts'
import { updateRemoteStatus } from '../../../domain/statuses/remote/update-remote-status.ts'
import { statement } from '../../../platform/db/statement.ts'
import { isNote } from '../../objects/read/read-note.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf } from '../../wire/read-values.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { readRemoteNote } from './read-remote-note.ts'
import { removeIfGone } from './remove-if-gone.ts'
import { findNoteReferences, toRemoteStatus, resolveQuotedStatus } from './resolve-status.ts'

/** The author of a stored remote status. */
export interface RemoteAuthor {
  id: string
  uri: string
}

const findAuthor = statement<{ params: { uri: string }; row: RemoteAuthor }>(
  `select a.id, a.uri from statuses s join accounts a on a.id = s.account_id
   where s.uri = $uri and not s.local and s.deleted_at is null and a.suspended_at is null`,
)

/** Returns the author of a stored remote status; null if there is none or the author is suspended. */
export async function findRemoteAuthor(ctx: Pick<Ctx, 'db'>, uri: string): Promise<RemoteAuthor | null> {
  const [row] = await findAuthor(ctx.db, { uri })
  return row ?? null
}

/**
 * Updates a stored status from its current document. Returns its id; null if the document is not that of the status.
 * `editedAt`: the time of its last edit, if the document names none.
 */
export async function recordRefreshedStatus(
  ctx: Ctx,
  {
    uri,
    author,
    document,
    budget,
    editedAt = null,
  }: { uri: string; author: RemoteAuthor; document: WireObject; budget: FetchBudget; editedAt?: Date | null },
): Promise<string | null> {
  if (!isNote(document) || idOf(document) !== uri || idOf(document['attributedTo']) !== author.uri) return null
  const read = await readRemoteNote(ctx, document)
  const note = { ...read, updatedAt: read.updatedAt ?? editedAt }
  const references = await findNoteReferences(ctx, { note, accountId: author.id })
  const statusData = await toRemoteStatus(ctx, { note, accountId: author.id, references, budget })
  const changed = await ctx.write((tx) => updateRemoteStatus(tx, statusData))
  if (changed) await resolveQuotedStatus(ctx, { note, budget })
  return changed?.statusId ?? null
}

/**
 * Fetches a stored remote status again. Returns its id; null if it is unknown or changed owner. A public or unlisted
 * status that its server does not have any more is deleted.
 * @throws as `fetchDocument`
 */
export async function refreshStatus(
  ctx: Ctx,
  { uri, budget }: { uri: string; budget: FetchBudget },
): Promise<string | null> {
  const author = await findRemoteAuthor(ctx, uri)
  if (!author) return null
  const document = await removeIfGone(ctx, { uri, fetching: fetchDocument(ctx, { uri, budget }) })
  return recordRefreshedStatus(ctx, { uri, author, document, budget })
}
