import type { ReactNode } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { PageHead } from '../../../../ui/page/page-head.tsx'
import type { Permission } from '../../../accounts/staff-permissions.ts'
import { useStaff } from './use-staff.ts'

/** A page of the administration. Without the permission, the user sees only that the page is not for them. */
export function AdminPage({
  title,
  permission,
  back = false,
  head,
  children,
}: {
  title: string
  /** Null: the page is for all of the staff. */
  permission: Permission | null
  back?: boolean
  /** What stands beside the title. */
  head?: ReactNode
  children: ReactNode
}) {
  const staff = useStaff()
  const isPermitted = permission === null ? staff?.isStaff : staff?.can(permission)
  return (
    <>
      <PageHead title={title} back={back}>
        {isPermitted && head}
      </PageHead>
      {isPermitted ? children : <Notice icon="lock" title={message('web.admin.not-permitted')} />}
    </>
  )
}
