import type { Read } from '../domain/context.ts'
import { toJson } from '../lib/json.ts'
import { bytesOfParts } from '../lib/json-parts.ts'
import type { Changes } from '../platform/db/changes.ts'
import { Kept } from '../platform/db/kept.ts'
import type { KeptCard } from './cards.ts'
import { presentEmojis } from './emojis.ts'
import type { PollFacts } from './polls.ts'
import { quotableOf } from './quotes.ts'
import type { Quotable } from './quotes.ts'
import { loadShown } from './shown.ts'
import type { Shown } from './shown.ts'
import { loadBodies } from './status-bodies.ts'
import type { StatusBody } from './status-bodies.ts'

/** What everybody sees of a status, and what is needed to say the rest to each. */
export interface StatusPiece {
  row: Shown
  /**
   * JSON without the closing brace, in UTF-8: pages are put together of such bytes, and what is kept so is no burden to
   * the garbage collector. It lacks the author, what is inside (`reblog`, `quote`) where there is something, the keys of
   * the viewer, and those that some see in another way: a card, a poll, an application that is not told to everybody.
   */
  bytes: Buffer
  /** Where the part of them ends that changes only with the version, as the card does. */
  bodyEnd: number
  card: KeptCard | null
  quotable: Quotable
}

/** How much memory one process may take for them, and what one takes beside its text. */
const KEPT_BYTES = 64 * 1024 * 1024
const PIECE_BYTES = 800

const kept = new Kept<StatusPiece>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { value: { row }, since }) =>
    changes.hasChanged('status', row.id, since) ||
    changes.hasChanged('status counters', row.id, since) ||
    (row.application !== null && changes.hasChanged('user', row.account_id, since)) ||
    (row.poll !== null && hasEndedSince(row.poll, changes)),
})

function hasEndedSince({ expired, expires_at: expiresAt }: PollFacts, { now }: Changes): boolean {
  return !expired && expiresAt !== null && Date.parse(expiresAt) <= now
}

/** The pieces of these statuses by their ids, with what they boost and what any of these quote. */
export async function findPieces(
  read: Read,
  { ids, changes }: { ids: readonly string[]; changes: Changes },
): Promise<Map<string, StatusPiece>> {
  const found = new Map<string, StatusPiece>()
  await add(read, { found, wanted: ids, changes })
  const boosted = [...found.values()].flatMap(({ row }) => row.reblog_of_id ?? [])
  if (boosted.length > 0) await add(read, { found, wanted: boosted, changes })
  const quoted = [...found.values()].flatMap(({ row }) => row.quoted_id ?? []).filter((id) => !found.has(id))
  if (quoted.length > 0) await add(read, { found, wanted: quoted, changes })
  for (const id of quoted) if (found.get(id)?.row.deleted) found.delete(id)
  return found
}

async function add(
  read: Read,
  { found, wanted, changes }: { found: Map<string, StatusPiece>; wanted: readonly string[]; changes: Changes },
): Promise<void> {
  const missing: string[] = []
  for (const id of wanted) {
    const piece = found.get(id) ?? kept.get(changes, id)
    if (piece === undefined) missing.push(id)
    else found.set(id, piece)
  }
  if (missing.length === 0) return
  const since = changes.moment
  const rows = await loadShown(read, { ids: missing })
  const bodies = await findBodies(read, { rows, changes })
  for (const row of rows) {
    const body = bodies.get(row.id)
    if (body === undefined) continue
    const { card } = body
    const bytes = bytesOfParts([body.bytes, commonKeys(read, { row, card })])
    const piece = { row, bytes, bodyEnd: body.bytes.length, card, quotable: quotableOf(row) }
    found.set(row.id, piece)
    kept.set(changes, row.id, { value: piece, since, bytes: PIECE_BYTES + bytes.length })
  }
}

/** The bodies of these rows. Those of pieces that were kept before still count where the version is the same. */
async function findBodies(
  read: Read,
  { rows, changes }: { rows: readonly Shown[]; changes: Changes },
): Promise<Map<string, StatusBody>> {
  const before = new Map<string, StatusBody>()
  for (const { id, version } of rows) {
    const piece = kept.peek(changes, id)
    if (piece?.row.version !== version) continue
    before.set(id, { bytes: piece.bytes.subarray(0, piece.bodyEnd), card: piece.card })
  }
  const bodies = await loadBodies(read, { ids: rows.filter(({ id }) => !before.has(id)).map(({ id }) => id) })
  for (const [id, body] of before) bodies.set(id, body)
  return bodies
}

/** What is said to everybody alike, and is not kept with the version of the status. */
function commonKeys({ config }: Read, { row, card }: { row: Shown; card: StatusBody['card'] }): string {
  const { application, emojis } = row
  const told = application === null || application.public
  return [
    `,"emojis":${emojis === null ? '[]' : toJson(presentEmojis(config, emojis))}`,
    `,"replies_count":${row.replies_count},"reblogs_count":${row.reblogs_count}`,
    `,"favourites_count":${row.favourites_count},"quotes_count":${row.quotes_count}`,
    row.reblog_of_id === null ? ',"reblog":null' : '',
    row.quotes ? '' : ',"quote":null',
    card === null ? ',"card":null' : '',
    row.poll === null ? ',"poll":null' : '',
    // A boost is written with nothing.
    told && row.reblog_of_id === null ? `,"application":${presentApplication(application)}` : '',
  ].join('')
}

/** What a status was written with. */
export function presentApplication(application: Shown['application']): string {
  return application === null ? 'null' : toJson({ name: application.name, website: application.website })
}
