import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { CachedRead } from '../../../domain/context.ts'
import { findStatusMarks } from '../../../domain/moderation/statuses/list-statuses-for-staff.ts'
import type { AdminStatus } from '../../../entities/admin/content/admin-status.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { extendEntity } from '../../../lib/json/fragment.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { renderStatusMap } from '../../statuses/render-statuses.ts'

/** Returns statuses of one account as the staff see them, in the order of the ids; unknown ids are omitted. */
export async function renderAdminStatuses(
  read: CachedRead,
  { accountId, ids, staff }: { accountId: string; ids: readonly string[]; staff: StaffMember },
): Promise<EntityJson<AdminStatus>[]> {
  if (ids.length === 0) return []
  const [statuses, marks] = await Promise.all([
    renderStatusMap(read, { ids, viewerId: staff.accountId }),
    findStatusMarks(read, { accountId, ids }),
  ])
  return ids.flatMap((id) => {
    const [status, mark] = [statuses.get(id), marks.get(id)]
    if (!status || !mark) return []
    const { deletedAt, restorableUntil, reported } = mark
    const fields = {
      deleted_at: deletedAt?.toISOString() ?? null,
      restorable_until: restorableUntil?.toISOString() ?? null,
      reported,
    }
    return [extendEntity<AdminStatus, Status>(status, fields)]
  })
}
