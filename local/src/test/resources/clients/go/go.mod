module client

go 1.24

require (
	cloud.google.com/go/storage v1.57.0
	google.golang.org/api v0.252.0
)
