import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { StaffNotes } from '../shared/notes/staff-notes.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import { DECISION_PERMISSIONS, DECISIONS, isPossible } from './decisions.ts'
import type { DecisionName } from './decisions.ts'
import { findNextReport, reportQuery } from './report-queries.ts'
import { ReportFacts } from './report-facts.tsx'
import { ReportedPosts } from './reported-posts.tsx'
import { ReportedCollections } from './reported-collections.tsx'
import { ReportState } from './report-state.tsx'
import { TargetRecord } from './target-record.tsx'
import admin from '../shared/admin.module.css'
import styles from './report-view.module.css'

/** A report with everything that a decision needs, on one screen. */
export function ReportView({ id }: { id: string }) {
  const query = useQuery(reportQuery(id))
  return <QueryResult query={query}>{(report) => <Report key={report.id} report={report} />}</QueryResult>
}

function Report({ report }: { report: AdminReport }) {
  const [decision, setDecision] = useState<DecisionName | null>(null)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })

  /** Shows the decision above the next report. Undoing it comes back to this one. */
  const close = async (made: DecisionName, undo: (() => Promise<void>) | null) => {
    setDecision(null)
    const next = await findNextReport(report.id).catch(() => null)
    await (next === null
      ? navigate({ to: '/admin/reports' })
      : navigate({ to: '/admin/reports/$id', params: { id: next } }))
    showDecision({
      text: message(`web.admin.decision.${made}.done`, { name: `@${report.targetAccount.account.acct}` }),
      undo:
        undo &&
        (async () => {
          await undo()
          await refresh()
          await navigate({ to: '/admin/reports/$id', params: { id: report.id } })
        }),
    })
    await refresh()
  }

  const closeDialog = () => {
    setDecision(null)
    // The buttons have disappeared.
    if (report.actionTaken) focusNeighbour(null)
  }

  return (
    <>
      <div className={styles.report}>
        <div className={styles.main}>
          <ReportState report={report} onChange={refresh} />
          <ReportFacts report={report} onChange={refresh} />
          <ReportedPosts report={report} />
          <ReportedCollections report={report} />
        </div>
        <div className={styles.side}>
          <TargetRecord report={report} />
          <StaffNotes on="reports" id={report.id} />
        </div>
      </div>
      {!report.actionTaken && <DecisionBar report={report} onChoose={setDecision} />}
      {decision && <DecisionDialog report={report} decision={decision} onClose={closeDialog} onDecided={close} />}
    </>
  )
}

function DecisionBar({ report, onChoose }: { report: AdminReport; onChoose: (decision: DecisionName) => void }) {
  const staff = useStaff()
  return (
    <div className={styles.bar} role="group" aria-label={message('web.admin.decision.label')} data-action-bar>
      {DECISIONS.map(
        (name, index) =>
          staff?.can(DECISION_PERMISSIONS[name]) && (
            <button
              key={name}
              type="button"
              className="button button-line button-small"
              data-key={index + 1}
              aria-keyshortcuts={String(index + 1)}
              disabled={!isPossible(name, report)}
              onClick={() => onChoose(name)}
            >
              <kbd className={admin.key} aria-hidden="true">
                {index + 1}
              </kbd>
              {message(`web.admin.decision.${name}.label`)}
            </button>
          ),
      )}
    </div>
  )
}
