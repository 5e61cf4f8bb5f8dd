import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { NotificationPolicy } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { api } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { policyQuery } from '../notification-queries.ts'
import styles from './policy-dialog.module.css'

type Rule = Exclude<keyof NotificationPolicy, 'summary'>
type Action = NotificationPolicy[Rule]

const RULES = [
  'forNotFollowing',
  'forNotFollowers',
  'forNewAccounts',
  'forPrivateMentions',
  'forLimitedAccounts',
  'forBots',
] as const satisfies readonly Rule[]

const ACTIONS: readonly Action[] = ['accept', 'filter', 'drop']

/** Whose notifications the server accepts, filters or ignores. Each change is saved at once. */
export function PolicyDialog({ onClose }: { onClose: () => void }) {
  const { data: policy, isError, refetch } = useQuery(policyQuery)
  const client = useQueryClient()
  const change = async (rule: Rule, action: Action) => {
    client.setQueryData(policyQuery.queryKey, (before) => before && { ...before, [rule]: action })
    try {
      const saved = await api().v2.notifications.policy.update({ [rule]: action })
      client.setQueryData(policyQuery.queryKey, saved as unknown as NotificationPolicy)
    } catch {
      await client.invalidateQueries({ queryKey: policyQuery.queryKey })
      showToast({
        kind: 'alert',
        text: message('web.notifications.policy-failed'),
        action: { label: message('web.retry'), run: () => void change(rule, action) },
      })
    }
  }
  return (
    <Dialog title={message('web.notifications.policy')} onClose={onClose}>
      {isError && (
        <Notice icon="warning" title={message('web.notifications.policy-load-failed')} role="alert">
          <button type="button" className="button" onClick={() => void refetch()}>
            {message('web.retry')}
          </button>
        </Notice>
      )}
      {!policy && !isError && <p role="status">{message('web.loading')}</p>}
      {policy && (
        <>
          <p className={styles.intro}>{message('web.notifications.policy-intro')}</p>
          {RULES.map((rule) => (
            <RuleField key={rule} rule={rule} action={policy[rule]} onChange={(action) => void change(rule, action)} />
          ))}
        </>
      )}
    </Dialog>
  )
}

function RuleField({ rule, action, onChange }: { rule: Rule; action: Action; onChange: (action: Action) => void }) {
  const id = useId()
  return (
    <div className={styles.rule}>
      <label htmlFor={id} className={styles.label}>
        {message(`web.notifications.policy.${rule}`)}
      </label>
      <p id={`${id}-hint`} className={styles.hint}>
        {message(`web.notifications.policy.${rule}.hint`)}
      </p>
      <select
        id={id}
        className={styles.select}
        aria-describedby={`${id}-hint`}
        value={action}
        onChange={({ target }) => onChange(target.value as Action)}
      >
        {ACTIONS.map((value) => (
          <option key={value} value={value}>
            {message(`web.notifications.policy.${value}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
