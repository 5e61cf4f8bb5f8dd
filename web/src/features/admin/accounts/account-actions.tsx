import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminAccount } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { ACCOUNT_ACTIONS, takeAccountAction } from '../shared/decisions/account-actions.ts'
import type { AccountAction, UserMessage } from '../shared/decisions/account-actions.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { ImpactFacts, useImpact } from '../shared/decisions/impact.tsx'
import { MessageFields } from '../shared/decisions/message-fields.tsx'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { accountQuery } from './account-queries.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import admin from '../shared/admin.module.css'

/** The state that each action brings about. */
const STATES = { freeze: 'disabled', sensitive: 'sensitized', limit: 'silenced', suspend: 'suspended' } as const
const isInState = (account: AdminAccount, action: AccountAction) =>
  action !== 'warn' && account[STATES[action]] === true
const TOGGLED = ['freeze', 'sensitive', 'limit', 'suspend'] as const
const LOCAL_ONLY: readonly AccountAction[] = ['warn', 'freeze']

interface Props {
  account: AdminAccount
  onChange: () => Promise<void>
}

/** The actions against an account, and those that end them; nothing for one that the role does not permit to manage. */
export function AccountActions({ account, onChange }: Props) {
  const [action, setAction] = useState<AccountAction | 'erase' | null>(null)
  const staff = useStaff()
  const isLocal = account.domain === null
  if (!account.manageable) return null
  const end = (ended: (typeof TOGGLED)[number]) =>
    void runOrReport(async () => {
      await adminApi('accounts', account.id, ACCOUNT_ACTIONS[ended].undo).create()
      showDecision({ text: message(`web.admin.end.${ended}.done`, { name: `@${account.account.acct}` }), undo: null })
      await onChange()
    })
  const isOffered = (name: AccountAction) => isLocal || !LOCAL_ONLY.includes(name)
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.account.actions')}</h2>
      <div className={admin.actions}>
        {isOffered('warn') && (
          <button type="button" className="button button-line button-small" onClick={() => setAction('warn')}>
            {message('web.admin.decision.warn.label')}
          </button>
        )}
        {TOGGLED.filter(isOffered).map((name) => {
          const isOn = isInState(account, name)
          return (
            <button
              key={name}
              type="button"
              className="button button-line button-small"
              onClick={() => (isOn ? end(name) : setAction(name))}
            >
              {message(isOn ? `web.admin.end.${name}` : `web.admin.decision.${name}.label`)}
            </button>
          )
        })}
        {account.suspended && staff?.can('deleteUserData') && (
          <button type="button" className="button button-line button-small" onClick={() => setAction('erase')}>
            {message('web.admin.erase.label')}
          </button>
        )}
      </div>
      {action === 'erase' && <EraseDialog account={account} onChange={onChange} onClose={() => setAction(null)} />}
      {action !== null && action !== 'erase' && (
        <ActionDialog account={account} action={action} onChange={onChange} onClose={() => setAction(null)} />
      )}
    </section>
  )
}

function ActionDialog({ account, action, onChange, onClose }: Props & { action: AccountAction; onClose: () => void }) {
  const [userMessage, setUserMessage] = useState<UserMessage>({ text: '', presetId: null, notify: true })
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const queryClient = useQueryClient()
  const impact = useImpact({ accountId: account.id, type: ACCOUNT_ACTIONS[action].type })
  const name = `@${account.account.acct}`
  const isLocal = account.domain === null
  const done = message(`web.admin.decision.${action}.done`, { name })
  const confirm = async () => {
    setIsBusy(true)
    await runOrReport(async () => {
      // Another member of the staff may have done it meanwhile: the user would get a second strike and mail.
      const current = await queryClient.fetchQuery({ ...accountQuery(account.id), staleTime: 0 })
      if (isInState(current, action)) return setFailure(done)
      const undo = await takeAccountAction({
        accountId: account.id,
        action,
        ...userMessage,
        notify: userMessage.notify && isLocal,
      })
      onClose()
      showDecision({
        text: done,
        undo: undo && (() => undo().then(onChange)),
      })
      await onChange()
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={message(`web.admin.decision.${action}.title`, { name })}
      confirm={message(`web.admin.decision.${action}.label`)}
      dangerous={action === 'suspend'}
      isBusy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{message(`web.admin.decision.${action}.text`)}</p>
      <ImpactFacts query={impact} />
      {isLocal && <MessageFields value={userMessage} onChange={setUserMessage} for="user" hasPresets />}
    </AdminDialog>
  )
}

/** Asks before the data of a suspended account are deleted for good. */
function EraseDialog({ account, onChange, onClose }: Props & { onClose: () => void }) {
  const [isBusy, setIsBusy] = useState(false)
  const impact = useImpact({ accountId: account.id, type: 'delete' })
  const name = `@${account.account.acct}`
  const confirm = async () => {
    setIsBusy(true)
    await runOrReport(async () => {
      await adminApi('accounts', account.id).remove()
      onClose()
      showDecision({ text: message('web.admin.erase.done', { name }), undo: null })
      await onChange()
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={message('web.admin.erase.title', { name })}
      confirm={message('web.admin.erase.label')}
      dangerous
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <ImpactFacts query={impact} />
    </AdminDialog>
  )
}
