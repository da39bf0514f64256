/* global Scalar -- scalar.js defines it */
Scalar.createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  // Nothing comes from or goes to another host; the CSP of the page forbids it, too.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultOpenAllTags: true,
  // The anchor of an operation ends with its operationId.
  generateOperationSlug: ({ operationId }) => operationId,
});
