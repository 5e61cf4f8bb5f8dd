import type { ListRow } from '../domain/lists/find.ts'
import type { List } from '../entities/list.ts'

export function renderList({ id, title, replies_policy, exclusive }: ListRow): List {
  return { id, title, replies_policy, exclusive }
}
