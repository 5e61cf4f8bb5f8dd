import { lazy, useState } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account, Relationship } from '../../../../lib/api/entities.ts'
import { currentAccountId } from '../../../../lib/session.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { LazyPart } from '../../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../../ui/menus/menu.tsx'
import type { MenuItem } from '../../../../ui/menus/menu.tsx'
import { openComposer } from '../../../composer/open-composer.ts'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { useRelationship } from '../../../relationships/relationships.ts'
import type { ProfileDialog } from '../dialogs/profile-dialog.ts'
import { domainOf } from '../../account-domain.ts'
import { copyText } from './copy-text.ts'
import styles from './profile-buttons.module.css'

const ProfileDialogs = lazy(async () => ({ default: (await import('../dialogs/profile-dialogs.tsx')).ProfileDialogs }))

/** All that the user can do with an account. */
export function ProfileMenu({ account }: { account: Account }) {
  const relationship = useRelationship(account.id)
  const [dialog, setDialog] = useState<ProfileDialog | null>(null)
  const isOwn = account.id === currentAccountId()
  const items = [
    ...(isOwn || !relationship ? [] : relationshipItems({ account, relationship, setDialog })),
    ...linkItems(account),
    ...(isOwn || !relationship ? [] : safetyItems({ account, relationship, setDialog })),
  ]
  return (
    <>
      <MenuButton
        label={message('web.profile.menu', { name: `@${account.acct}` })}
        items={items}
        className={`button button-line ${styles.square}`}
      >
        <Icon name="more" />
      </MenuButton>
      {dialog && (
        <LazyPart onFailure={() => setDialog(null)}>
          <ProfileDialogs account={account} dialog={dialog} onClose={() => setDialog(null)} />
        </LazyPart>
      )}
    </>
  )
}

interface MenuContext {
  account: Account
  relationship: Relationship
  setDialog: (dialog: ProfileDialog) => void
}

function relationshipItems({ account, relationship, setDialog }: MenuContext): MenuItem[] {
  const { id, acct, locked } = account
  const name = `@${acct}`
  const { following, showingReblogs, endorsed } = relationship
  const items: MenuItem[] = [
    {
      label: message('web.profile.mention', { name }),
      icon: 'at',
      run: () => openComposer({ type: 'new', text: `${name} ` }),
    },
    {
      label: message('web.profile.direct', { name }),
      icon: 'mail',
      run: () => openComposer({ type: 'new', text: `${name} `, visibility: 'direct' }),
    },
  ]
  if (following)
    items.push(
      {
        label: message('web.profile.show-boosts', { name }),
        icon: 'boost',
        isChecked: showingReblogs,
        run: () => void changeRelationship(id, { type: 'follow', locked, reblogs: !showingReblogs }),
      },
      { label: message('web.profile.languages'), icon: 'translate', run: () => setDialog('languages') },
      {
        label: message('web.profile.endorse'),
        icon: 'favourite',
        isChecked: endorsed,
        run: () => void changeRelationship(id, { type: endorsed ? 'unendorse' : 'endorse' }),
      },
    )
  if (following || relationship.requested)
    items.push({ label: message('web.profile.lists'), icon: 'list', run: () => setDialog('lists') })
  items.push({
    label: message('web.profile.add-to-collection'),
    icon: 'collection',
    run: () => setDialog('collections'),
  })
  return items
}

function linkItems(account: Account): MenuItem[] {
  const items: MenuItem[] = [
    { label: message('web.profile.copy-link'), icon: 'copy', run: () => void copyText(account.url) },
  ]
  const isRemote = domainOf(account) !== null
  items.push(
    isRemote
      ? { label: message('web.profile.open-original'), icon: 'external', run: () => openTab(account.url) }
      : { label: message('web.profile.rss'), icon: 'external', run: () => openTab(`/@${account.username}.rss`) },
  )
  return items
}

function safetyItems({ account, relationship, setDialog }: MenuContext): MenuItem[] {
  const { id, acct } = account
  const name = `@${acct}`
  const domain = domainOf(account)
  const { muting, blocking, domainBlocking, followedBy } = relationship
  return [
    ...(followedBy
      ? [
          {
            label: message('web.profile.remove-follower'),
            icon: 'close' as const,
            dangerous: true,
            run: () => setDialog('remove-follower'),
          },
        ]
      : []),
    muting
      ? {
          label: message('web.profile.unmute', { name }),
          icon: 'mute',
          run: () => void changeRelationship(id, { type: 'unmute' }),
        }
      : {
          label: message('web.profile.mute', { name }),
          icon: 'mute',
          dangerous: true,
          run: () => setDialog('mute'),
        },
    blocking
      ? {
          label: message('web.profile.unblock', { name }),
          icon: 'block',
          run: () => void changeRelationship(id, { type: 'unblock' }),
        }
      : {
          label: message('web.profile.block', { name }),
          icon: 'block',
          dangerous: true,
          run: () => setDialog('block'),
        },
    { label: message('web.profile.report', { name }), icon: 'flag', dangerous: true, run: () => setDialog('report') },
    ...(domain === null
      ? []
      : domainBlocking
        ? [
            {
              label: message('web.profile.unblock-domain', { domain }),
              icon: 'globe' as const,
              run: () => void changeRelationship(id, { type: 'unblock-domain', domain }),
            },
          ]
        : [
            {
              label: message('web.profile.block-domain', { domain }),
              icon: 'globe' as const,
              dangerous: true,
              run: () => setDialog('block-domain'),
            },
          ]),
  ]
}

const openTab = (url: string) => window.open(url, '_blank', 'noopener,noreferrer')
