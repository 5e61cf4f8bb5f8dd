import type { Account } from '../../../../lib/api/entities.ts'
import { Confirmation } from '../../../../ui/dialogs/confirmation.tsx'
import { lazy } from 'react'
import { loadMessages, message } from '../../../../lib/i18n/messages.ts'
import { AccountListsDialog } from '../../../lists/account-lists-dialog.tsx'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { MuteDialog } from '../../../relationships/mute-dialog.tsx'
import { domainOf } from '../../account-domain.ts'
import { LanguagesDialog } from './languages-dialog.tsx'
import type { ProfileDialog } from './profile-dialog.ts'
import { ReportDialog } from '../../../reports/report-dialog.tsx'

const AccountCollectionsDialog = lazy(async () => {
  const [{ AccountCollectionsDialog }] = await Promise.all([
    import('../../../collections/dialogs/account-collections-dialog.tsx'),
    loadMessages('collections'),
  ])
  return { default: AccountCollectionsDialog }
})

/** The dialog that the user has opened from the menu of a profile. */
export function ProfileDialogs({
  account,
  dialog,
  onClose,
}: {
  account: Account
  dialog: ProfileDialog
  onClose: () => void
}) {
  const { id } = account
  const name = `@${account.acct}`
  const domain = domainOf(account) ?? ''
  switch (dialog) {
    case 'lists':
      return <AccountListsDialog account={account} onClose={onClose} />
    case 'collections':
      return <AccountCollectionsDialog account={account} onClose={onClose} />
    case 'languages':
      return <LanguagesDialog account={account} onClose={onClose} />
    case 'mute':
      return <MuteDialog account={account} onClose={onClose} />
    case 'report':
      return <ReportDialog account={account} onClose={onClose} />
    case 'block':
      return (
        <Confirmation
          title={message('web.profile.block-title', { name })}
          text={message('web.profile.block-text')}
          confirm={message('web.profile.block-confirm')}
          onConfirm={() => void changeRelationship(id, { type: 'block' })}
          onClose={onClose}
        />
      )
    case 'block-domain':
      return (
        <Confirmation
          title={message('web.profile.block-domain-title', { domain })}
          text={message('web.profile.block-domain-text', { domain })}
          confirm={message('web.profile.block-domain-confirm')}
          onConfirm={() => void changeRelationship(id, { type: 'block-domain', domain })}
          onClose={onClose}
        />
      )
    case 'remove-follower':
      return (
        <Confirmation
          title={message('web.profile.remove-follower-title')}
          text={message('web.profile.remove-follower-text', { name })}
          confirm={message('web.profile.remove-follower-confirm')}
          onConfirm={() => void changeRelationship(id, { type: 'remove-follower' })}
          onClose={onClose}
        />
      )
  }
}
