import { currentAccountId } from '../../../lib/session.ts'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { MenuButton } from '../../../ui/menus/menu.tsx'
import type { MenuItem } from '../../../ui/menus/menu.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { openComposer } from '../../composer/open-composer.ts'
import { openStatusDialog } from './open-status-dialog.ts'
import type { StatusDialog } from './open-status-dialog.ts'
import { domainOf, toggleFlag } from './status-commands.ts'
import { statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'

/** The menu of a status with all that has no button of its own. */
export function StatusMenu({ status, className }: { status: StoredStatus; className: string | undefined }) {
  const quoted = useEntity(statusStore, status.quote?.quotedStatusId ?? '')
  const isOwn = status.account.id === currentAccountId()
  const items = [...itemsForAll(status), ...(isOwn ? itemsForAuthor(status) : itemsForOthers(status, quoted))]
  return (
    <MenuButton label={message('web.menu.label')} items={items} className={className ?? ''}>
      <Icon name="more" />
    </MenuButton>
  )
}

/** Returns whether the user may quote a status, perhaps after its author has approved it. */
export function canQuote({ quoteApproval, visibility }: StoredStatus): boolean {
  return visibility !== 'direct' && ['automatic', 'manual'].includes(quoteApproval.currentUser)
}

const dialogItem = (
  type: Exclude<StatusDialog['type'], 'media'>,
  { status, ...item }: Omit<MenuItem, 'run'> & { status: StoredStatus },
): MenuItem => ({ ...item, run: () => openStatusDialog({ type, status }) })

function itemsForAll(status: StoredStatus): MenuItem[] {
  const { account, url, editedAt } = status
  const items: MenuItem[] = []
  if (canQuote(status))
    items.push({
      label: message('web.menu.quote'),
      icon: 'quote',
      run: () => openComposer({ type: 'quote', status }),
    })
  if (editedAt !== null)
    items.push(dialogItem('history', { status, label: message('web.history.title'), icon: 'clock' }))
  if (url !== null) {
    items.push({ label: message('web.menu.copy-link'), icon: 'copy', run: () => void copyLink(url) })
    if ('share' in navigator)
      items.push({
        label: message('web.menu.share'),
        icon: 'share',
        run: () => void navigator.share({ url }).catch(() => undefined),
      })
    if (domainOf(account))
      items.push({
        label: message('web.menu.open-original'),
        icon: 'external',
        run: () => window.open(url, '_blank', 'noopener,noreferrer'),
      })
  }
  return items
}

function itemsForAuthor(status: StoredStatus): MenuItem[] {
  const { id, pinned, muted = false } = status
  const items: MenuItem[] = []
  if (pinned !== undefined)
    items.push({
      label: message(pinned ? 'web.menu.unpin' : 'web.menu.pin'),
      icon: 'pin',
      run: () => void toggleFlag('pinned', { id, on: !pinned }),
    })
  return [
    ...items,
    {
      label: message(muted ? 'web.menu.unmute-conversation' : 'web.menu.mute-conversation'),
      icon: 'mute',
      run: () => void toggleFlag('muted', { id, on: !muted }),
    },
    { label: message('web.menu.edit'), icon: 'write', run: () => openComposer({ type: 'edit', status }) },
    dialogItem('redraft', { status, label: message('web.menu.redraft'), icon: 'refresh', dangerous: true }),
    dialogItem('delete', { status, label: message('web.menu.delete'), icon: 'trash', dangerous: true }),
  ]
}

function itemsForOthers(status: StoredStatus, quoted: StoredStatus | undefined): MenuItem[] {
  const { id, account, mentions, muted = false, quote } = status
  const [name, domain] = [`@${account.acct}`, domainOf(account)]
  const items: MenuItem[] = [
    { label: message('web.menu.mention', { name }), icon: 'at', run: () => mentionAuthor(status) },
  ]
  if (muted || mentions.some((mention) => mention.id === currentAccountId()))
    items.push({
      label: message(muted ? 'web.menu.unmute-conversation' : 'web.menu.mute-conversation'),
      icon: 'mute',
      run: () => void toggleFlag('muted', { id, on: !muted }),
    })
  if (quote?.state === 'accepted' && quoted?.account.id === currentAccountId())
    items.push(
      dialogItem('revoke-quote', {
        status,
        label: message('web.menu.revoke-quote', { name }),
        icon: 'quote',
        dangerous: true,
      }),
    )
  items.push(
    dialogItem('filter', { status, label: message('web.menu.filter'), icon: 'hidden' }),
    dialogItem('mute', { status, label: message('web.menu.mute', { name }), icon: 'mute', dangerous: true }),
    dialogItem('block', { status, label: message('web.menu.block', { name }), icon: 'block', dangerous: true }),
  )
  if (domain)
    items.push(
      dialogItem('block-domain', {
        status,
        label: message('web.menu.block-domain', { domain }),
        icon: 'globe',
        dangerous: true,
      }),
    )
  items.push(
    dialogItem('report', { status, label: message('web.menu.report', { name }), icon: 'flag', dangerous: true }),
  )
  return items
}

/** Opens the composer with the handle of the author. */
export function mentionAuthor({ account }: StoredStatus): void {
  openComposer({ type: 'new', text: `@${account.acct} ` })
}

async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    showToast({ kind: 'good', text: message('web.menu.link-copied') })
  } catch {
    showToast({ kind: 'alert', text: message('web.menu.copy-failed', { url }) })
  }
}
