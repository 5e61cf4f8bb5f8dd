import type { UsernameBlockRow } from '../../../domain/username-blocks/username-blocks.ts'
import type { AdminUsernameBlock } from '../../../entities/admin/sign-up-blocks/admin-username-block.ts'

export function renderAdminUsernameBlock(block: UsernameBlockRow): AdminUsernameBlock {
  const { id, username, normalized_username, comparison, allow_with_approval, created_at, updated_at } = block
  return {
    id,
    username,
    normalized_username,
    comparison,
    allow_with_approval,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
