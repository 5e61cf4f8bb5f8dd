import type { Ctx } from '../../../domain/context.ts'
import { readNote } from '../../objects/read/read-note.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { findProfileOwners } from '../actors/find-profile-owners.ts'
import { findPageStatus } from './find-page-status.ts'

/**
 * Reads a note like `readNote`, with the ids of local objects in place of the URLs of their pages: Hubzilla mentions
 * accounts by the URLs of their profile pages and addresses private replies to these; WordPress replies to, and quotes,
 * the URL that its user entered, for example with the fragment of a link.
 * @throws as `readNote`
 */
export async function readRemoteNote(
  ctx: Pick<Ctx, 'db' | 'config' | 'now'>,
  document: WireObject,
): Promise<ParsedNote> {
  const note = readNote(document, { now: ctx.now() })
  const idOfPage = async (url: string) => (await findPageStatus(ctx, { url })) ?? url
  const inReplyTo = note.inReplyTo && (await idOfPage(note.inReplyTo))
  const quote = note.quote && { ...note.quote, uri: note.quote.uri && (await idOfPage(note.quote.uri)) }

  const owners = await findProfileOwners(ctx, { urls: [...note.to, ...note.cc, ...note.mentions] })
  const replace = (all: readonly string[]) => [...new Set(all.map((uri) => owners.get(uri) ?? uri))]
  return { ...note, inReplyTo, quote, to: replace(note.to), cc: replace(note.cc), mentions: replace(note.mentions) }
}
