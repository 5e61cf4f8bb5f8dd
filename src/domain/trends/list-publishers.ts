import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

const KEYSET = keysetClause('p.id')

const listDescending = statement<{ params: PageParameters; row: { id: string } }>(
  `select p.id from preview_card_providers p where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: { id: string } }>(
  `select p.id from preview_card_providers p where ${KEYSET.where} ${KEYSET.ascending}`,
)

/** Returns the ids of a page of publishers, newest first (Mastodon: GET /api/v1/admin/trends/links/publishers). */
export async function listPublishers(read: Read, { page }: { page: Page }): Promise<string[]> {
  const params = pageParameters(page)
  const rows = await readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
  return rows.map((row) => row.id)
}
