import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminAccount } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { AccountStates } from '../shared/list/account-states.tsx'
import { QueryResult } from '../shared/list/query-result.tsx'
import { StaffNotes } from '../shared/notes/staff-notes.tsx'
import { StrikeList } from '../shared/notes/strike-list.tsx'
import { SuggestionChoice } from '../suggestions/suggestion-choice.tsx'
import { AccountActions } from './account-actions.tsx'
import { accountQuery } from './account-queries.ts'
import { RoleChoice } from './role-choice.tsx'
import admin from '../shared/admin.module.css'
import styles from './account-view.module.css'

/** An account as the staff see it, with what they can do about it. */
export function AccountView({ id }: { id: string }) {
  const query = useQuery(accountQuery(id))
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  return (
    <QueryResult query={query}>
      {(account) => (
        <>
          <section className={admin.part}>
            <AccountLine account={account.account} />
            <AccountStates account={account} />
            {account.purgeAt !== undefined && (
              <p className={admin.soft}>
                {message('web.admin.account.purge', { time: formatFullTime(new Date(account.purgeAt)) })}
              </p>
            )}
            <Facts account={account} />
          </section>
          <AccountActions account={account} onChange={refresh} />
          <SuggestionChoice accountId={account.id} />
          {account.domain === null && <RoleChoice account={account} onChange={refresh} />}
          <IpAddresses account={account} />
          <section className={admin.part}>
            <StrikeList accountId={account.id} />
          </section>
          <StaffNotes on="accounts" id={account.id} />
        </>
      )}
    </QueryResult>
  )
}

function Facts({ account }: { account: AdminAccount }) {
  const { account: profile, email, locale, inviteRequest, invitedByAccountId: inviter } = account
  return (
    <dl className={admin.facts}>
      <dt>{message('web.admin.reports.joined')}</dt>
      <dd>
        <TimeAgo time={account.createdAt} />
      </dd>
      <dt>{message('web.admin.account.posts')}</dt>
      <dd>{formatNumber(profile.statusesCount)}</dd>
      <dt>{message('web.admin.reports.followers')}</dt>
      <dd>{formatNumber(profile.followersCount)}</dd>
      {account.domain !== null && (
        <>
          <dt>{message('web.admin.reports.server')}</dt>
          <dd>
            <Link to="/admin/accounts" search={{ byDomain: account.domain }} className={styles.link}>
              <bdi>{account.domain}</bdi>
            </Link>
          </dd>
        </>
      )}
      {email !== null && (
        <>
          <dt>{message('web.admin.account.email')}</dt>
          <dd>
            <bdi>{email}</bdi>
            {account.confirmed === false && ` (${message('web.admin.account.unconfirmed')})`}
          </dd>
        </>
      )}
      {locale !== null && (
        <>
          <dt>{message('web.admin.account.locale')}</dt>
          <dd>{locale}</dd>
        </>
      )}
      {inviteRequest && (
        <>
          <dt>{message('web.admin.account.reason')}</dt>
          <dd dir="auto">{inviteRequest}</dd>
        </>
      )}
      {inviter !== undefined && (
        <>
          <dt>{message('web.admin.account.inviter')}</dt>
          <dd>
            <Link to="/admin/accounts/$id" params={{ id: inviter }} className={styles.link}>
              {message('web.admin.accounts.open')}
            </Link>
          </dd>
        </>
      )}
      {account.domain === null && (
        <>
          <dt>{message('web.admin.account.invited')}</dt>
          <dd>
            <Link to="/admin/accounts" search={{ invitedBy: account.id }} className={styles.link}>
              {message('web.admin.account.show-list')}
            </Link>
          </dd>
        </>
      )}
    </dl>
  )
}

function IpAddresses({ account: { ips } }: { account: AdminAccount }) {
  if (ips.length === 0) return null
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.account.ips')}</h2>
      <ul>
        {ips.map(({ ip, usedAt }) => (
          <li key={ip} className={styles.ip}>
            <Link to="/admin/accounts" search={{ ip }} className={styles.link}>
              <bdi>{ip}</bdi>
            </Link>
            <span className={admin.soft}>
              <TimeAgo time={usedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
