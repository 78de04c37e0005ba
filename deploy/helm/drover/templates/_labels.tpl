{{/* Templates here take a part: dict "root" $ "name" "guard" "values" .Values.guard */}}

{{- define "drover.selector" -}}
app.kubernetes.io/name: drover
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "drover.labels" -}}
{{ include "drover.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* metadata of an object in the namespace of the release */}}
{{- define "drover.metadata" -}}
metadata:
  name: drover-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "drover.labels" . | nindent 4 }}
{{- end }}

{{- define "drover.clusterMetadata" -}}
metadata:
  name: drover-{{ .name }}
  labels: {{- include "drover.labels" . | nindent 4 }}
{{- end }}
