import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { AdminAccount } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AccountStates } from '../shared/list/account-states.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { AccountFilterForm } from './account-filter-form.tsx'
import type { AccountFilters } from './account-filters.ts'
import { accountsQuery } from './account-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './account-list.module.css'

/** The accounts that match the filters of the URL, the newest first. */
export function AccountList({ filters }: { filters: AccountFilters }) {
  const query = useInfiniteQuery(accountsQuery(filters))
  return (
    <>
      <AccountFilterForm filters={filters} />
      <AdminList query={query} empty={message('web.admin.accounts.empty')}>
        {(account) => <AccountRow account={account} />}
      </AdminList>
    </>
  )
}

function AccountRow({ account: { id, account, role, email, ip, createdAt, ...states } }: { account: AdminAccount }) {
  return (
    <article className={styles.row} tabIndex={0} aria-label={`@${account.acct}`}>
      <Avatar account={account} />
      <div className={styles.body}>
        <Link to="/admin/accounts/$id" params={{ id }} className={styles.link} data-key="o">
          <strong>
            <DisplayName account={account} />
          </strong>{' '}
          <bdi className={admin.soft}>@{account.acct}</bdi>
        </Link>
        <p className={admin.soft}>
          <TimeAgo time={createdAt} />
          {[role?.name, email, ip].map(
            (text) =>
              text && (
                <Fragment key={text}>
                  {' · '}
                  <bdi>{text}</bdi>
                </Fragment>
              ),
          )}
        </p>
        <AccountStates account={states} />
      </div>
    </article>
  )
}
