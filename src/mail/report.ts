import { findStaff } from '../domain/access/find-staff.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { recipientsOf } from '../domain/notifications/staff-mails.ts'
import { findUnhandledReport } from '../domain/reports/find-unhandled-report.ts'
import { displayHandle } from '../lib/usernames.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { reportMail } from './templates/report.ts'

interface Facts {
  reporter: string
  target: string
  category: string
  comment: string
  posts: number
  collections: number
  rules: string[]
}

const handle = (a: string) => `${a}.username || coalesce('@' || ${a}.domain, '')`
const find = statement<{ params: { reportId: string }; row: Facts }>(
  `select ${handle('reporter')} as reporter, ${handle('target')} as target, r.category, r.comment,
     cardinality(r.status_ids) as posts, cardinality(r.collection_ids) as collections,
     array(select rule.text from rules rule where rule.id = any(r.rule_ids) order by rule.id) as rules
   from reports r join accounts reporter on reporter.id = r.account_id join accounts target on target.id = r.target_account_id
   where r.id = $reportId`,
)

/**
 * Effect: informs the staff who can manage reports of a new one. A staff member who was reported themselves gets the mail
 * only if there is no other staff, and without the name of the reporter.
 */
export async function mailReport(ctx: Ctx, { reportId }: { reportId: string }): Promise<void> {
  const staff = await findStaff(ctx, { permission: 'manageReports' })
  await ctx.write(async (tx) => {
    const report = await findUnhandledReport(tx, { reportId })
    const [facts] = report ? await find(tx.db, { reportId }) : []
    if (!report || !facts) return
    const others = staff.filter(({ accountId }) => accountId !== report.targetAccountId)
    for (const recipient of recipientsOf(others.length > 0 ? others : staff, 'report')) {
      const mail = reportMail({
        locale: localeOfRecipient(ctx, recipient),
        site: siteOf(ctx),
        url: `${ctx.config.origin}/admin/reports/${reportId}`,
        ...facts,
        target: displayHandle(facts.target),
        reporter: recipient.accountId === report.targetAccountId ? null : displayHandle(facts.reporter),
      })
      await enqueueMail(tx, { key: `report:${reportId}:${recipient.userId}`, recipient: recipient.email, ...mail })
    }
  })
}
