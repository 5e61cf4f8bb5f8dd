import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminAppeal } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import admin from '../shared/admin.module.css'
import styles from './appeal-list.module.css'

export type AppealStatus = AdminAppeal['state']
const APPEAL_STATES: readonly AppealStatus[] = ['pending', 'approved', 'rejected']

const appealsQuery = (status: AppealStatus) =>
  listQuery(
    ['appeals', status],
    async (page) => (await adminApi('appeals').fetch({ ...page, status })) as AdminAppeal[],
  )

/** The appeals of users against actions of the staff. */
export function AppealList({ status }: { status: AppealStatus }) {
  const query = useInfiniteQuery(appealsQuery(status))
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {APPEAL_STATES.map((name) => (
          <Link key={name} to="/admin/appeals" search={{ status: name }} aria-current={name === status}>
            {message(`web.admin.appeals.${name}`)}
          </Link>
        ))}
      </nav>
      <AdminList query={query} empty={message('web.admin.appeals.empty')}>
        {(appeal) => <Appeal appeal={appeal} />}
      </AdminList>
    </>
  )
}

function Appeal({ appeal }: { appeal: AdminAppeal }) {
  const [decision, setDecision] = useState<'approve' | 'reject' | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const article = useRef<HTMLElement>(null)
  const staff = useStaff()
  const queryClient = useQueryClient()
  const { strike, decidedByAccount: decider } = appeal
  const { account } = strike.targetAccount
  const name = `@${account.acct}`
  const decide = async (made: 'approve' | 'reject') => {
    setIsBusy(true)
    await runOrReport(async () => {
      await adminApi('appeals', appeal.id, made).create()
      setDecision(null)
      focusNeighbour(article.current)
      showDecision({ text: message(`web.admin.appeals.${made}.done`, { name }), undo: null })
    })
    // Also after a failure: another member of the staff may have decided meanwhile.
    await queryClient.invalidateQueries({ queryKey: ['admin'] })
    setIsBusy(false)
  }
  return (
    <article ref={article} className={styles.appeal} tabIndex={0} aria-label={name}>
      <div className={styles.head}>
        <AccountLine account={account} size="s" />
        <span className={admin.soft}>
          <TimeAgo time={appeal.createdAt} />
        </span>
      </div>
      <blockquote className={styles.text} dir="auto">
        {appeal.text}
      </blockquote>
      <p className={admin.soft}>
        {message(`web.admin.strike.${strike.action}`)} · <TimeAgo time={strike.createdAt} />
        {strike.account && ` · @${strike.account.acct}`}
      </p>
      {strike.text !== '' && (
        <p className={styles.strike} dir="auto">
          {strike.text}
        </p>
      )}
      {strike.reportId !== null && staff?.mayOpen('/admin/reports') && (
        <p>
          <Link to="/admin/reports/$id" params={{ id: strike.reportId }} className={styles.link}>
            {message('web.admin.appeals.report')}
          </Link>
        </p>
      )}
      {appeal.state === 'pending' && strike.targetAccount.manageable && (
        <p className={admin.actions}>
          <button type="button" className="button button-small" data-key="a" onClick={() => setDecision('approve')}>
            {message('web.admin.approve')} <kbd className={`${admin.key} ${admin.keyOnButton}`}>a</kbd>
          </button>
          <button
            type="button"
            className="button button-line button-small"
            data-key="x"
            onClick={() => setDecision('reject')}
          >
            {message('web.admin.reject')} <kbd className={admin.key}>x</kbd>
          </button>
        </p>
      )}
      {appeal.state !== 'pending' && (
        <p className={admin.soft}>
          {message(`web.admin.appeals.state.${appeal.state}`)}
          {decider && ` · @${decider.acct}`}
        </p>
      )}
      {decision && (
        <AdminDialog
          title={message(`web.admin.appeals.${decision}.title`, { name })}
          confirm={message(`web.admin.${decision}`)}
          isBusy={isBusy}
          onConfirm={() => void decide(decision)}
          onClose={() => setDecision(null)}
        >
          <p>{message(`web.admin.appeals.${decision}.text`)}</p>
        </AdminDialog>
      )}
    </article>
  )
}
