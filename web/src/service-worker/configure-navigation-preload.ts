/**
 * Makes the browser request documents while it starts the worker. Only in Chromium: if that request fails, Firefox shows
 * an error page, whatever the worker responds. An earlier version has turned it on everywhere.
 */
export async function configureNavigationPreload(
  { navigationPreload }: { navigationPreload?: Pick<NavigationPreloadManager, 'enable' | 'disable'> },
  browser: object = navigator,
): Promise<void> {
  // No other engine has this property.
  const isChromium = 'userAgentData' in browser
  await (isChromium ? navigationPreload?.enable() : navigationPreload?.disable())
}
