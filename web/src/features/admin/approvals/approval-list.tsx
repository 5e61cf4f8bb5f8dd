import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminApi, adminApiV2 } from '../../../lib/api/admin-api.ts'
import type { AdminAccount } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import admin from '../shared/admin.module.css'
import styles from './approval-list.module.css'

const pendingQuery = listQuery(['accounts', 'pending'], async (page) => {
  return (await adminApiV2('accounts').fetch({ ...page, origin: 'local', status: 'pending' })) as AdminAccount[]
})

/** The users who wait for approval, with what they wrote. */
export function ApprovalList() {
  const query = useInfiniteQuery(pendingQuery)
  return (
    <AdminList query={query} empty={message('web.admin.approvals.empty')}>
      {(account) => <Applicant account={account} />}
    </AdminList>
  )
}

function Applicant({ account }: { account: AdminAccount }) {
  const [isRejecting, setIsRejecting] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const { id, username, email, ip, inviteRequest } = account
  const decide = async (decision: 'approve' | 'reject') => {
    setIsBusy(true)
    await runOrReport(async () => {
      await adminApi('accounts', id, decision).create()
      setIsRejecting(false)
      focusNeighbour(article.current)
      showDecision({ text: message(`web.admin.approvals.${decision}.done`, { name: `@${username}` }), undo: null })
    })
    // Also after a failure: another member of the staff may have decided meanwhile.
    await queryClient.invalidateQueries({ queryKey: ['admin'] })
    setIsBusy(false)
  }
  return (
    <article ref={article} className={styles.applicant} tabIndex={0} aria-label={`@${username}`}>
      <p className={styles.head}>
        <strong>
          <bdi>@{username}</bdi>
        </strong>
        <span className={admin.soft}>
          <TimeAgo time={account.createdAt} />
        </span>
      </p>
      {inviteRequest && (
        <blockquote className={styles.reason} dir="auto">
          {inviteRequest}
        </blockquote>
      )}
      <dl className={admin.facts}>
        {email !== null && (
          <>
            <dt>{message('web.admin.account.email')}</dt>
            <dd>
              <bdi>{email}</bdi>{' '}
              {account.confirmed === false && (
                <span className={admin.soft}>({message('web.admin.account.unconfirmed')})</span>
              )}
            </dd>
          </>
        )}
        {ip !== null && (
          <>
            <dt>{message('web.admin.account.ip')}</dt>
            <dd>
              <bdi>{ip}</bdi>
            </dd>
          </>
        )}
        {account.locale !== null && (
          <>
            <dt>{message('web.admin.account.locale')}</dt>
            <dd>{account.locale}</dd>
          </>
        )}
      </dl>
      <p className={admin.actions}>
        <SteadyButton
          className="button button-small"
          data-key="a"
          isUnusable={isBusy}
          onClick={() => void decide('approve')}
        >
          {message('web.admin.approve')} <kbd className={`${admin.key} ${admin.keyOnButton}`}>a</kbd>
        </SteadyButton>
        <SteadyButton
          className="button button-line button-small"
          data-key="x"
          isUnusable={isBusy}
          onClick={() => setIsRejecting(true)}
        >
          {message('web.admin.reject')} <kbd className={admin.key}>x</kbd>
        </SteadyButton>
      </p>
      {isRejecting && (
        <AdminDialog
          title={message('web.admin.approvals.reject.title', { name: `@${username}` })}
          confirm={message('web.admin.reject')}
          dangerous
          isBusy={isBusy}
          onConfirm={() => void decide('reject')}
          onClose={() => setIsRejecting(false)}
        >
          <p>{message('web.admin.approvals.reject.text')}</p>
        </AdminDialog>
      )}
    </article>
  )
}
