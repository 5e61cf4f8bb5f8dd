import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { AccountList } from '../../features/accounts/lists/account-list.tsx'
import { blockedQuery, directoryQuery, mutedQuery } from '../../features/accounts/lists/account-queries.ts'
import { AccountSkeletons } from '../../features/accounts/lists/account-skeletons.tsx'
import { FollowRequests } from '../../features/accounts/lists/follow-requests.tsx'
import { ProfileForm } from '../../features/accounts/profile/editing/profile-form.tsx'
import { profileQuery } from '../../features/accounts/profile/profile-query.ts'
import { DomainBlocks } from '../../features/relationships/domain-blocks.tsx'
import { BlockButton, MuteButton } from '../../features/relationships/safety-buttons.tsx'
import { FollowedTags } from '../../features/tags/followed-tags.tsx'
import { formatFullTime } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { startData } from '../../lib/start-data.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import styles from './account-pages.module.css'

export const FollowRequestsPage = () => (
  <>
    <PageHead title={message('web.accounts.requests')} back />
    <FollowRequests />
  </>
)

export function BlocksPage() {
  const title = message('web.accounts.blocks')
  return (
    <>
      <PageHead title={title} back />
      <AccountList
        query={blockedQuery}
        label={title}
        empty={<Notice icon="block" title={message('web.accounts.blocks-empty')} />}
        actions={(account) => <BlockButton account={account} />}
      />
    </>
  )
}

export function MutesPage() {
  const title = message('web.accounts.mutes')
  return (
    <>
      <PageHead title={title} back />
      <AccountList
        query={mutedQuery}
        label={title}
        empty={<Notice icon="mute" title={message('web.accounts.mutes-empty')} />}
        actions={(account) => <MuteButton account={account} />}
        noteOf={({ muteExpiresAt }) =>
          muteExpiresAt && message('web.accounts.muted-until', { time: formatFullTime(new Date(muteExpiresAt)) })
        }
      />
    </>
  )
}

export const DomainBlocksPage = () => (
  <>
    <PageHead title={message('web.accounts.domain-blocks')} back />
    <DomainBlocks />
  </>
)

export const FollowedTagsPage = () => (
  <>
    <PageHead title={message('web.tag.followed')} back />
    <FollowedTags />
  </>
)

export function DirectoryPage() {
  const [order, setOrder] = useState<'active' | 'new'>('active')
  const [isLocal, setIsLocal] = useState(true)
  const title = message('web.accounts.directory')
  return (
    <>
      <PageHead title={title} back />
      <div className={styles.filters}>
        <Segments
          label={message('web.accounts.order')}
          value={order}
          options={[
            { value: 'active', label: message('web.accounts.active') },
            { value: 'new', label: message('web.accounts.new') },
          ]}
          onChange={setOrder}
        />
        <Segments
          label={message('web.accounts.origin')}
          value={isLocal ? 'local' : 'all'}
          options={[
            { value: 'local', label: startData.domain },
            { value: 'all', label: message('web.nav.public') },
          ]}
          onChange={(origin) => setIsLocal(origin === 'local')}
        />
      </div>
      <AccountList
        query={directoryQuery({ order, isLocal })}
        label={title}
        withBiography
        empty={<Notice icon="people" title={message('web.accounts.directory-empty')} />}
      />
    </>
  )
}

/** A choice between two or three values beside one another. */
function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.segment}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}

export function EditProfilePage() {
  const { data: profile, isError, refetch } = useQuery({ ...profileQuery, staleTime: 0, refetchOnWindowFocus: false })
  return (
    <>
      <PageHead title={message('web.profile.edit')} back />
      {profile ? (
        <ProfileForm profile={profile} />
      ) : isError ? (
        <LoadingFailed retry={() => void refetch()} />
      ) : (
        <AccountSkeletons />
      )}
    </>
  )
}
