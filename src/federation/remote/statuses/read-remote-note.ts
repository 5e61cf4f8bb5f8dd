import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import type { WireObject } from '../../wire/normalise.ts'

/** The path of a local profile page, and that of the actor by name. */
const PROFILE_PATH = /^\/(?:@|users\/)(\w+)\/?$/

const findByNames = statement<{ params: { names: readonly string[] }; row: { name: string; uri: string } }>(
  `select lower(username) as name, uri from accounts where lower(username) = any($names) and domain is null`,
)

/**
 * Reads a note like `readNote`. In its audience and mentions, the URL of a local profile page is replaced by the id of
 * the account: Hubzilla mentions accounts by the URLs of their profile pages, and sends them private replies so.
 * @throws as `readNote`
 */
export async function readRemoteNote(
  ctx: Pick<Ctx, 'db' | 'config' | 'now'>,
  document: WireObject,
): Promise<ParsedNote> {
  const note = readNote(document, { now: ctx.now() })
  const { origin } = ctx.config
  const nameOf = (uri: string) =>
    uri.startsWith(`${origin}/`) ? PROFILE_PATH.exec(uri.slice(origin.length))?.[1]?.toLowerCase() : undefined
  const names = [note.to, note.cc, note.mentions]
    .flatMap((uris) => uris.map(nameOf))
    .filter((name) => name !== undefined)
  if (names.length === 0) return note
  const uris = new Map((await findByNames(ctx.db, { names: [...new Set(names)] })).map(({ name, uri }) => [name, uri]))
  const replace = (all: readonly string[]) => [...new Set(all.map((uri) => uris.get(nameOf(uri) ?? '') ?? uri))]
  return { ...note, to: replace(note.to), cc: replace(note.cc), mentions: replace(note.mentions) }
}
