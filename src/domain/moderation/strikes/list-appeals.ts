import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import type { AppealState } from './appeal-deadline.ts'

interface AppealQuery {
  params: { state: AppealState | null } & PageParameters
  row: { id: string }
}

const KEYSET = keysetClause('a.id')
const SELECT = `select a.id from appeals a where ($state::text is null or a.state = $state) and ${KEYSET.where}`

const listDescending = statement<AppealQuery>(`${SELECT} ${KEYSET.descending}`)
const listAscending = statement<AppealQuery>(`${SELECT} ${KEYSET.ascending}`)

/** Returns the ids of a page of appeals, newest first. `state`: null for all. */
export async function listAppeals(
  read: Read,
  { state, page }: { state: AppealState | null; page: Page },
): Promise<string[]> {
  const params = { state, ...pageParameters(page) }
  const rows = await readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
  return rows.map((row) => row.id)
}
