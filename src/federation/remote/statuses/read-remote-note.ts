import type { Ctx } from '../../../domain/context.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import type { WireObject } from '../../wire/normalise.ts'
import { findProfileOwners } from '../actors/find-profile-owners.ts'

/** The path of the page of a local status. */
const STATUS_PATH = /^\/(?:@\w+|users\/\w+\/statuses)\/(\d+)\/?$/
/** The path of the id of a status. */
const STATUS_ID_PATH = /^(\/ap\/users\/\d+\/statuses\/\d+)\/?$/

const findStatus = statement<{ params: { id: string }; row: { uri: string } }>(
  `select uri from statuses where id = $id and local and not local_only and deleted_at is null`,
)

/**
 * Reads a note like `readNote`, with the ids of local objects in place of the URLs of their pages: Hubzilla mentions
 * accounts by the URLs of their profile pages and addresses private replies to these; WordPress replies to the URL that
 * its user entered, for example with the fragment of a link.
 * @throws as `readNote`
 */
export async function readRemoteNote(
  ctx: Pick<Ctx, 'db' | 'config' | 'now'>,
  document: WireObject,
): Promise<ParsedNote> {
  const note = readNote(document, { now: ctx.now() })
  const { origin } = ctx.config
  const partOf = (uri: string | null, path: RegExp) => {
    const url = uri === null ? null : URL.parse(uri)
    return url?.origin === origin ? path.exec(url.pathname)?.[1] : undefined
  }

  const idPath = partOf(note.inReplyTo, STATUS_ID_PATH)
  const parentId = partOf(note.inReplyTo, STATUS_PATH)
  const [parent] = isId(parentId) ? await findStatus(ctx.db, { id: parentId }) : []
  const inReplyTo = parent?.uri ?? (idPath === undefined ? note.inReplyTo : origin + idPath)

  const owners = await findProfileOwners(ctx, { urls: [...note.to, ...note.cc, ...note.mentions] })
  const replace = (all: readonly string[]) => [...new Set(all.map((uri) => owners.get(uri) ?? uri))]
  return { ...note, inReplyTo, to: replace(note.to), cc: replace(note.cc), mentions: replace(note.mentions) }
}
