import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { runOrReport } from '../shared/decisions/undo.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import { describeResolution } from './report-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './report-state.module.css'

/** Who works on a report, or who has resolved it, with buttons to change that. */
export function ReportState({ report, onChange }: { report: AdminReport; onChange: () => Promise<void> }) {
  const staff = useStaff()
  const { assignedAccount: assignee, actionTakenAt } = report
  const run = (action: string) =>
    void runOrReport(async () => {
      await adminApi('reports', report.id, action).create({})
      await onChange()
    })
  if (report.actionTaken)
    return (
      <div className={styles.state}>
        <p>
          {describeResolution(report)}{' '}
          {actionTakenAt && (
            <span className={admin.soft}>
              <TimeAgo time={actionTakenAt} />
            </span>
          )}
        </p>
        <button type="button" className="button button-line button-small" onClick={() => run('reopen')}>
          {message('web.admin.reports.reopen')}
        </button>
      </div>
    )
  const isMine = assignee?.id === staff?.accountId
  return (
    <div className={styles.state}>
      <p>
        {assignee
          ? message('web.admin.reports.assigned-to', { name: `@${assignee.username}` })
          : message('web.admin.reports.unassigned')}
      </p>
      <button
        type="button"
        className="button button-line button-small"
        onClick={() => run(isMine ? 'unassign' : 'assign_to_self')}
      >
        {message(isMine ? 'web.admin.reports.unassign' : 'web.admin.reports.assign')}
      </button>
    </div>
  )
}
