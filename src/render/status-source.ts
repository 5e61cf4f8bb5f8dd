import type { Read } from '../domain/context.ts'
import type { StatusSource } from '../entities/status.ts'
import { NotFound } from '../lib/errors.ts'
import { plainText } from '../lib/text/plainText.ts'
import { statement } from '../platform/db/connect.ts'

const load = statement<{ id: string; text: string; content: string; spoiler_text: string; local: boolean }>(
  `select id, text, content, spoiler_text, local from statuses where id = $1`,
)

/** What a status says, as it was typed; of another server's, as a reader would see it. @throws NotFound */
export async function renderStatusSource(read: Read, { id }: { id: string }): Promise<StatusSource> {
  const [row] = await load(read.db, [id])
  if (!row) throw new NotFound()
  return { id: row.id, text: row.local ? row.text : plainText(row.content), spoiler_text: row.spoiler_text }
}
