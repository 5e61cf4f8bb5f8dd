import { listGeneralSuggestions } from '../../../domain/accounts/suggestions/list-general-suggestions.ts'
import type { GeneralSuggestionRow } from '../../../domain/accounts/suggestions/list-general-suggestions.ts'
import { isSuppressed } from '../../../domain/accounts/suggestions/suppress-suggestion.ts'
import type { CachedRead } from '../../../domain/context.ts'
import type { AdminSuggestion } from '../../../entities/admin/content/admin-suggestion.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { renderAccountMap } from '../../accounts/render-accounts.ts'

/** Returns suggestions as the staff see them, in the given order. Accounts that are `suppressed` have no sources. */
export async function renderAdminSuggestions(
  read: CachedRead,
  { rows, suppressed, viewerId }: { rows: readonly GeneralSuggestionRow[]; suppressed: boolean; viewerId: string },
): Promise<EntityJson<AdminSuggestion>[]> {
  const accounts = await renderAccountMap(read, { ids: rows.map(({ id }) => id), viewerId })
  return rows.flatMap(({ id, sources }) => {
    const account = accounts.get(id)
    return account ? [entityJson<AdminSuggestion>({ account, sources, suppressed })] : []
  })
}

/** Returns whether and why an account is suggested to all users. @throws NotFoundError */
export async function renderAdminSuggestion(
  read: CachedRead,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<EntityJson<AdminSuggestion>> {
  const [suppressed, [row = { id, sources: [] }]] = await Promise.all([
    isSuppressed(read, { accountId: id }),
    listGeneralSuggestions(read, { id, limit: 1, offset: 0 }),
  ])
  const [suggestion] = await renderAdminSuggestions(read, { rows: [row], suppressed, viewerId })
  if (suggestion === undefined) throw new NotFoundError()
  return suggestion
}
