import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import type { Account } from '../../lib/api/entities.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Checkbox } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { ListDialog } from './list-dialog.tsx'
import { listsOfAccountQuery, listsQuery, useMembership } from './list-queries.ts'

/** Adds an account to lists of the user and removes it from them. */
export function AccountListsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const lists = useQuery(listsQuery)
  const memberships = useQuery(listsOfAccountQuery(account.id))
  const setMembership = useMembership()
  const [isCreating, setIsCreating] = useState(false)
  const isFailed = lists.isError || memberships.isError
  return (
    <Dialog title={message('web.list.of-account', { name: `@${account.acct}` })} onClose={onClose}>
      {isFailed && <LoadingFailed retry={() => void Promise.all([lists.refetch(), memberships.refetch()])} />}
      {lists.isPending && <p role="status">{message('web.loading')}</p>}
      {lists.data?.length === 0 && <p>{message('web.list.none')}</p>}
      {memberships.data &&
        lists.data?.map(({ id, title }) => (
          <Checkbox
            key={id}
            label={<bdi>{title}</bdi>}
            isChecked={memberships.data.includes(id)}
            onChange={(isMember) => void setMembership({ listId: id, account, isMember })}
          />
        ))}
      <p>
        <button type="button" className="button button-line" onClick={() => setIsCreating(true)}>
          <Icon name="plus" />
          {message('web.list.new')}
        </button>
      </p>
      {isCreating && (
        <ListDialog
          onSaved={({ id }) => void setMembership({ listId: id, account, isMember: true })}
          onClose={() => setIsCreating(false)}
        />
      )}
    </Dialog>
  )
}
