import type { Account } from '../../lib/api/entities.ts'
import { animatesOnHover } from '../../lib/settings.ts'
import styles from './avatar.module.css'

/**
 * The picture of an account, animated only while the pointer is over it. Decorative, since the name always stands beside
 * it.
 */
export function Avatar({
  account,
  size = 'm',
}: {
  account: Pick<Account, 'avatarStatic'> & Partial<Pick<Account, 'avatar'>>
  size?: 's' | 'm' | 'l' | 'xl'
}) {
  return (
    <img
      className={`${styles.avatar} ${styles[size]}`}
      src={account.avatarStatic}
      alt=""
      decoding="async"
      loading="lazy"
      onMouseEnter={({ currentTarget }) => {
        if (account.avatar && account.avatar !== account.avatarStatic && animatesOnHover())
          currentTarget.src = account.avatar
      }}
      onMouseLeave={({ currentTarget }) => {
        if (currentTarget.src !== account.avatarStatic) currentTarget.src = account.avatarStatic
      }}
    />
  )
}
