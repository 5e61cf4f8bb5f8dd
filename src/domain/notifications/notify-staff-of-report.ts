import { findStaff } from '../accounts/staff.ts'
import type { Ctx } from '../context.ts'
import { findReportNews } from '../reports/find-news.ts'
import { notify } from './notify.ts'

/** Effect: tells those who manage reports of a new one. Whom it is about never learns who made it, whoever they are. */
export async function notifyStaffOfReport(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const report = await findReportNews(tx, { reportId })
    if (!report) return
    const staff = await findStaff(tx, { permission: 'manageReports' })
    await notify(tx, {
      kind: 'admin.report',
      fromAccountId: report.accountId,
      reportId,
      recipientIds: staff.map((person) => person.accountId).filter((id) => id !== report.targetAccountId),
    })
  })
}
