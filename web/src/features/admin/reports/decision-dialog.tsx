import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { ACCOUNT_ACTIONS } from '../shared/decisions/account-actions.ts'
import type { UserMessage } from '../shared/decisions/account-actions.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { ImpactFacts, useImpact } from '../shared/decisions/impact.tsx'
import type { ImpactOf } from '../shared/decisions/impact.tsx'
import { MessageFields } from '../shared/decisions/message-fields.tsx'
import { runOrReport } from '../shared/decisions/undo.ts'
import { decide } from './decisions.ts'
import type { DecisionName } from './decisions.ts'
import { reportQuery, describeResolution } from './report-queries.ts'

interface Props {
  report: AdminReport
  decision: DecisionName
  onClose: () => void
  onDecided: (decision: DecisionName, undo: (() => Promise<void>) | null) => Promise<void>
}

/** Shows what a decision would affect and which mail it sends, before it is made. */
export function DecisionDialog({ decision, ...props }: Props) {
  if (decision === 'dismiss') return <DecisionForm {...props} decision={decision} isReversible />
  return <DecisionWithImpact {...props} decision={decision} />
}

function DecisionWithImpact({
  decision,
  ...props
}: Omit<Props, 'decision'> & { decision: Exclude<DecisionName, 'dismiss'> }) {
  const { targetAccount, statuses } = props.report
  const of: ImpactOf =
    decision === 'delete'
      ? { accountId: targetAccount.id, type: 'delete', statusIds: statuses.map(({ id }) => id) }
      : { accountId: targetAccount.id, type: ACCOUNT_ACTIONS[decision].type }
  const impact = useImpact(of)
  return (
    <DecisionForm {...props} decision={decision} isReversible={impact.data?.reversible ?? false}>
      <ImpactFacts query={impact} />
    </DecisionForm>
  )
}

function DecisionForm({
  report,
  decision,
  isReversible,
  onClose,
  onDecided,
  children,
}: Props & { isReversible: boolean; children?: ReactNode }) {
  const [userMessage, setUserMessage] = useState<UserMessage>({ text: '', presetId: null, notify: true })
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const queryClient = useQueryClient()
  const { account, domain } = report.targetAccount
  const isLocal = domain === null
  const isDismissed = decision === 'dismiss'
  const confirm = async () => {
    setIsBusy(true)
    const input = { decision, ...userMessage, notify: userMessage.notify && isLocal, isReversible }
    await runOrReport(async () => {
      // Another member of the staff may have decided meanwhile: the user would get a second strike and mail.
      const current = await queryClient.fetchQuery({ ...reportQuery(report.id), staleTime: 0 })
      if (current.actionTaken) setFailure(describeResolution(current))
      else await onDecided(decision, await decide(report, input))
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={message(`web.admin.decision.${decision}.title`, { name: `@${account.acct}` })}
      confirm={message(`web.admin.decision.${decision}.label`)}
      dangerous={decision === 'suspend' || decision === 'delete'}
      isBusy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{message(`web.admin.decision.${decision}.text`)}</p>
      {children}
      {(isLocal || isDismissed) && (
        <MessageFields
          value={userMessage}
          onChange={setUserMessage}
          for={isDismissed ? 'staff' : 'user'}
          hasPresets={decision !== 'delete'}
        />
      )}
    </AdminDialog>
  )
}
