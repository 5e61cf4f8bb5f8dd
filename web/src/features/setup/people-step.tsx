import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/session.ts'
import type { Account } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Avatar } from '../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../ui/accounts/display-name.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { FollowToggle } from './follow-toggle.tsx'
import { Loaded } from './loaded.tsx'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'
import styles from './setup-wizard.module.css'

const SUGGESTION_COUNT = 20

const suggestionsQuery = {
  queryKey: ['suggested-accounts'],
  queryFn: async () => {
    const suggestions = await api().v2.suggestions.list({ limit: SUGGESTION_COUNT })
    return suggestions.map(({ account }) => account as unknown as Account)
  },
  // What the user has followed stays in the list while this page is open.
  staleTime: Infinity,
}

/** Accounts that the user may want to follow. */
export function PeopleStep({ onDone, onBack }: StepProps) {
  const query = useQuery(suggestionsQuery)
  // The buttons appear below the accounts, so that they do not move when the accounts arrive.
  if (query.isPending) return <StatusSkeletons count={2} />
  return (
    <StepForm onDone={onDone} onBack={onBack} canSkip={false}>
      <p>{message('web.setup.people.text')}</p>
      <Loaded query={query}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Notice icon="people" title={message('web.setup.people.empty')} />
          ) : (
            <ul className={styles.list}>
              {accounts.map((account) => (
                <li key={account.id}>
                  <Avatar account={account} />
                  <span className={styles.grow}>
                    <strong>
                      <DisplayName account={account} />
                    </strong>
                    <bdi className={styles.soft}>@{account.acct}</bdi>
                  </span>
                  <FollowToggle
                    name={`@${account.acct}`}
                    change={(follows) => {
                      const selected = api().v1.accounts.$select(account.id)
                      return follows ? selected.follow() : selected.unfollow()
                    }}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </StepForm>
  )
}
