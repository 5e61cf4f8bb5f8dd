import { useQuery } from '@tanstack/react-query'
import { message } from '../../../lib/i18n/messages.ts'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { suggestionAction, suggestionQuery } from './suggestion-queries.ts'
import admin from '../shared/admin.module.css'

/** Whether an account may be suggested; nothing for staff who do not review trends. */
export function SuggestionChoice({ accountId }: { accountId: string }) {
  const mayChange = useStaff()?.mayOpen('/admin/follow_recommendations') ?? false
  const { data: suggestion } = useQuery({ ...suggestionQuery(accountId), enabled: mayChange })
  if (!mayChange || !suggestion) return null
  const { account, suppressed } = suggestion
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.nav.follow_recommendations')}</h2>
      <p className={admin.soft}>
        {message(suppressed ? 'web.admin.suggestions.is-suppressed' : 'web.admin.suggestions.is-not-suppressed')}
      </p>
      <p className={admin.actions}>
        <ActionButton
          label={message(suppressed ? 'web.admin.suggestions.restore' : 'web.admin.suggestions.suppress')}
          name={`@${account.acct}`}
          action={suggestionAction(suggestion)}
        />
      </p>
    </section>
  )
}
