import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import {
  accountQuery,
  familiarFollowersQuery,
  followersQuery,
  followingQuery,
} from '../../features/accounts/lists/account-queries.ts'
import { AccountList } from '../../features/accounts/lists/account-list.tsx'
import { AccountSkeletons } from '../../features/accounts/lists/account-skeletons.tsx'
import { ProfileAbout } from '../../features/accounts/profile/about/profile-about.tsx'
import { ProfileFeatured } from '../../features/accounts/profile/featured/profile-featured.tsx'
import { ProfileHeader } from '../../features/accounts/profile/header/profile-header.tsx'
import { ProfileMedia } from '../../features/accounts/profile/posts/profile-media.tsx'
import {
  LimitedNotice,
  ProfileNotices,
  RelationshipNotices,
} from '../../features/accounts/profile/header/profile-notices.tsx'
import { ProfilePosts, TaggedPosts } from '../../features/accounts/profile/posts/profile-posts.tsx'
import { ProfileTabs } from '../../features/accounts/profile/header/profile-tabs.tsx'
import type { ProfileTab } from '../../features/accounts/profile/header/profile-tabs.tsx'
import { useRelationship } from '../../features/relationships/relationships.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { Account } from '../../lib/api/entities.ts'
import { currentAccountId } from '../../lib/session.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import styles from './profile-page.module.css'

export const PostsPage = () => (
  <ProfilePage tab="posts">{(account) => <ProfilePosts account={account} withReplies={false} />}</ProfilePage>
)

export const PostsAndRepliesPage = () => (
  <ProfilePage tab="posts">{(account) => <ProfilePosts account={account} withReplies />}</ProfilePage>
)

export const MediaPage = () => <ProfilePage tab="media">{(account) => <ProfileMedia account={account} />}</ProfilePage>

export const FeaturedPage = () => (
  <ProfilePage tab="featured">{(account) => <ProfileFeatured account={account} />}</ProfilePage>
)

export function TaggedPage() {
  const { tag } = useParams({ from: '/@{$acct}/tagged/$tag' })
  return <ProfilePage tab="featured">{(account) => <TaggedPosts account={account} tag={tag} />}</ProfilePage>
}

/** Profiles that moderators have limited, and that the user has nevertheless opened in this window. */
const shownProfiles = new Set<string>()

function ProfilePage({ tab, children }: { tab: ProfileTab; children: (account: Account) => ReactNode }) {
  return (
    <WithAccount titleOf={({ displayName, username }) => displayName || username}>
      {(account) => <Profile account={account} tab={tab} content={children} />}
    </WithAccount>
  )
}

function Profile({
  account,
  tab,
  content,
}: {
  account: Account
  tab: ProfileTab
  content: (account: Account) => ReactNode
}) {
  const relationship = useRelationship(account.id)
  const [isShown, setIsShown] = useState(() => shownProfiles.has(account.id))
  const isOwn = account.id === currentAccountId()
  const { isLoading } = useQuery({ ...familiarFollowersQuery(account.id), enabled: !isOwn })
  if (account.suspended) return <Notice icon="block" title={message('web.profile.suspended')} />
  const isLimited = account.limited === true && !isOwn
  const isHidden = isLimited && !isShown && relationship?.following !== true
  if (isHidden)
    return (
      <>
        <ProfileHeader account={account} isHidden />
        <LimitedNotice
          onShow={() => {
            shownProfiles.add(account.id)
            setIsShown(true)
          }}
        />
      </>
    )
  return (
    <>
      <ProfileNotices account={account} />
      <ProfileHeader account={account} />
      {/* What the server says about the viewer has its place among the rest, which appears with it and does not move. */}
      <div className={isLoading || (!isOwn && !relationship) ? styles.loading : undefined}>
        <RelationshipNotices account={account} />
        <ProfileAbout account={account} />
        <ProfileTabs account={account} current={tab} />
        {relationship?.blockedBy ? (
          <Notice icon="block" title={message('web.profile.unavailable')} />
        ) : (
          content(account)
        )}
      </div>
    </>
  )
}

export const FollowersPage = () => (
  <WithAccount titleOf={({ acct }) => message('web.profile.followers-of', { name: `@${acct}` })}>
    {(account) => (
      <AccountList
        query={followersQuery(account.id)}
        label={message('web.profile.followers')}
        withBiography
        empty={<EmptyFollows account={account} title={message('web.profile.no-followers')} />}
      />
    )}
  </WithAccount>
)

export const FollowingPage = () => (
  <WithAccount titleOf={({ acct }) => message('web.profile.following-of', { name: `@${acct}` })}>
    {(account) => (
      <AccountList
        query={followingQuery(account.id)}
        label={message('web.profile.following')}
        withBiography
        empty={<EmptyFollows account={account} title={message('web.profile.no-following')} />}
      />
    )}
  </WithAccount>
)

function EmptyFollows({ account, title }: { account: Account; title: string }) {
  return (
    <Notice icon="people" title={account.hideCollections ? message('web.profile.hidden-follows') : title}>
      {account.hideCollections && account.id === currentAccountId() && <p>{title}</p>}
    </Notice>
  )
}

/** Loads the account that the path names. The title is its handle until then. */
function WithAccount({
  titleOf,
  children,
}: {
  titleOf: (account: Account) => string
  children: (account: Account) => ReactNode
}) {
  const { acct = '' } = useParams({ strict: false })
  const { data: account, isError, refetch } = useQuery(accountQuery(acct))
  return (
    <>
      <PageHead title={account ? titleOf(account) : `@${acct}`} back />
      {account ? (
        // Another account starts with its own state.
        <div key={account.id}>{children(account)}</div>
      ) : account === null ? (
        <Notice icon="search" title={message('web.profile.unknown')} />
      ) : isError ? (
        <LoadingFailed retry={() => void refetch()} />
      ) : (
        <AccountSkeletons />
      )}
    </>
  )
}
