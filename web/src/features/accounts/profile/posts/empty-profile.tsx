import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { domainOf } from '../../account-domain.ts'

/** Why a profile shows no posts. Of a remote account, this server may just not have received them. */
export function EmptyProfile({ account }: { account: Account }) {
  const domain = domainOf(account)
  return (
    <Notice icon="write" title={message('web.timeline.empty')}>
      {domain !== null && (
        <>
          <p>{message('web.profile.remote-empty', { domain })}</p>
          <a className="button button-line" href={account.url} target="_blank" rel="noopener noreferrer">
            <Icon name="external" />
            {message('web.profile.open-original')}
          </a>
        </>
      )}
    </Notice>
  )
}
