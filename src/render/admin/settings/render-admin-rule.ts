import type { StaffRuleRow } from '../../../domain/instance/rules.ts'
import type { AdminRule } from '../../../entities/admin/settings/admin-rule.ts'

export function renderAdminRule({ created_at, ...rule }: StaffRuleRow): AdminRule {
  return { ...rule, created_at: created_at.toISOString() }
}
