{{- define "drover.account" -}}
apiVersion: v1
kind: ServiceAccount
{{ include "drover.metadata" . }}
  {{- with .values.serviceAccountAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}

{{/* Binds the account of a part to the ClusterRole of its name. */}}
{{- define "drover.clusterBinding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
{{ include "drover.clusterMetadata" . }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: drover-{{ .name }}
subjects:
  - kind: ServiceAccount
    name: drover-{{ .name }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* And to the Role. */}}
{{- define "drover.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
{{ include "drover.metadata" . }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: drover-{{ .name }}
subjects:
  - kind: ServiceAccount
    name: drover-{{ .name }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}
