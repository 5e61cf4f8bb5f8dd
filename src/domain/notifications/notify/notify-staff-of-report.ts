import { findStaff } from '../../access/find-staff.ts'
import type { Ctx } from '../../context.ts'
import { findUnhandledReport } from '../../reports/find-unhandled-report.ts'
import { createNotifications } from '../create/create-notifications.ts'

/**
 * Effect: notifies the staff who manage reports of a new one, except the reported account, which must not see the
 * reporter.
 */
export async function notifyStaffOfReport(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const report = await findUnhandledReport(tx, { reportId })
    if (!report) return
    const staff = await findStaff(tx, { permission: 'manageReports' })
    await createNotifications(tx, {
      type: 'admin.report',
      fromAccountId: report.accountId,
      reportId,
      recipientIds: staff.map((member) => member.accountId).filter((id) => id !== report.targetAccountId),
    })
  })
}
