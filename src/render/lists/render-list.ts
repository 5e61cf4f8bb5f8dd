import type { ListRow } from '../../domain/lists/find-list.ts'
import type { List } from '../../entities/accounts/list.ts'
import { entity } from '../../lib/json/entity-json.ts'

export function renderList({ id, title, replies_policy, exclusive }: ListRow): List {
  return entity<List>({ id, title, replies_policy, exclusive })
}
