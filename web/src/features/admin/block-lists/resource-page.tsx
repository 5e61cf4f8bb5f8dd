import type { ReactNode } from 'react'
import { AdminPage } from '../shared/shell/admin-page.tsx'
import { NewResource, ResourceList } from './resource-list.tsx'
import type { Resource } from './resource.ts'
import admin from '../shared/admin.module.css'

/** The page of a list whose rows can be created and deleted. */
export function ResourcePage<Row extends { id: string; createdAt?: string }>({
  title,
  resource,
  children,
}: {
  title: string
  resource: Resource<Row>
  /** What stands above the list. */
  children?: ReactNode
}) {
  return (
    <AdminPage title={title} permission={resource.permission} head={<NewResource resource={resource} />}>
      {resource.texts.intro !== undefined && <p className={`${admin.part} ${admin.soft}`}>{resource.texts.intro}</p>}
      {children}
      <ResourceList resource={resource} />
    </AdminPage>
  )
}
