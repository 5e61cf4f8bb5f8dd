import { queryOptions } from '@tanstack/react-query'
import type { AdminRule as ServerAdminRule } from '../../../../src/entities/admin/admin-rule.ts'
import { adminApi } from '../../lib/api/admin-api.ts'
import type { CamelCased } from '../../lib/api/camel-cased.ts'

export type Rule = CamelCased<Pick<ServerAdminRule, 'id' | 'text'>>

/** The rules of the server in their order. */
export const rulesQuery = queryOptions({
  queryKey: ['server-rules'],
  queryFn: async () => (await adminApi('rules').fetch()) as Rule[],
})

export async function addRule(text: string): Promise<void> {
  await adminApi('rules').create({ text })
}

export async function removeRule(id: string): Promise<void> {
  await adminApi('rules', id).remove()
}

/** Changes the order to that of the ids, which are those of all rules. */
export async function reorderRules(ruleIds: readonly string[]): Promise<void> {
  await adminApi('rules', 'reorder').create({ ruleIds })
}
