import { queryOptions } from '@tanstack/react-query'
import type { AdminRule } from '../../lib/api/admin-entities.ts'
import { adminApi } from '../../lib/api/admin-api.ts'
import { sendRequest } from '../../lib/api/send-request.ts'

/** Returns the rules in their order. masto.js would change the languages of the translations: `pt-BR` to `ptBr`. */
export const fetchRules = async () => sendRequest<AdminRule[]>({ method: 'GET', path: '/api/v1/admin/rules' })

/** The rules of the server in their order. */
export const rulesQuery = queryOptions({ queryKey: ['server-rules'], queryFn: fetchRules })

export async function addRule(text: string, hint = ''): Promise<AdminRule> {
  return (await adminApi('rules').create({ text, hint })) as AdminRule
}

export async function removeRule(id: string): Promise<void> {
  await adminApi('rules', id).remove()
}

/** Changes the order to that of the ids, which are those of all rules. */
export async function reorderRules(ruleIds: readonly string[]): Promise<void> {
  await adminApi('rules', 'reorder').create({ ruleIds })
}
